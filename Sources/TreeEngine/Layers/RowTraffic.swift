/// Rows that leave a sequence and rows that enter it.
///
/// A row that moves does both.
struct RowTraffic<Width: NodeWidth> {
  /// The rows that leave, with their former parents and depths.
  ///
  /// Nodes that are not rows of the sequence are ignored.
  var left: [NodeID: RowDelta<Width>.Listed] = [:]
  var came: [NodeID] = []
}

/// The rule by which rows are ordered.
struct RowRanking<Width: NodeWidth> {
  var order = ViewOrder.depthFirst
  /// The order of siblings; nil for that of the tree.
  var ordering: Ordering<Width>?

  /// Returns the position of a node's row in the order.
  ///
  /// - Complexity: O(log *n*).
  func place(of node: NodeID, in forest: borrowing Forest<Width>) -> LayerPlace {
    guard let ordering else { return Self.place(of: node, in: forest, order) }
    return ordering.nodes.read { Self.place(of: node, in: $0, order) }
  }

  private static func place(
    of node: NodeID,
    in forest: borrowing Forest<Width>,
    _ order: ViewOrder
  ) -> LayerPlace {
    let place = forest.place(of: node)
    if order == .depthFirst { return LayerPlace(position: place.position) }
    let top = forest.last(before: place.position + 1, notDeeperThan: 1)
    return LayerPlace(
      top: forest.place(of: top).position,
      depth: place.depth,
      position: place.position
    )
  }
}

/// The position of a row in an order: three numbers, of which the first that differs decides.
struct LayerPlace: Comparable {
  var top: Int32 = 0
  var depth: Int32 = 0
  var position: Int32

  static func < (left: LayerPlace, right: LayerPlace) -> Bool {
    (left.top, left.depth, left.position) < (right.top, right.depth, right.position)
  }
}

extension RowTraffic {
  /// Removes rows that leave, and inserts rows that enter at their places in an order.
  ///
  /// - Precondition: The rows that stay are in order.
  /// - Returns: The difference of the rows; nil for none.
  /// - Throws: The error that `count` throws. ``RowSequence/rollBack()`` undoes what was done.
  /// - Complexity: O(*r* log² *n*) for *r* rows.
  func apply(
    to rows: inout RowSequence<Width>,
    by ranking: RowRanking<Width>,
    in forest: borrowing Forest<Width>,
    _ count: (Int) throws(Interruption) -> Void
  ) throws(Interruption) -> RowDelta<Width>? {
    var delta = RowDelta<Width>(rowCount: rows.count)
    let hasLeft = try extract(of: &rows, recording: &delta, count)
    let hasCome = try putIn(to: &rows, by: ranking, in: forest, recording: &delta, count)
    return hasLeft || hasCome ? delta : nil
  }

  /// Removes rows in runs, from the highest index down; returns false if there were none.
  private func extract(
    of rows: inout RowSequence<Width>,
    recording delta: inout RowDelta<Width>,
    _ count: (Int) throws(Interruption) -> Void
  ) throws(Interruption) -> Bool {
    var leaving: [(index: Int32, row: RowDelta<Width>.Listed)] = []
    for (node, row) in left {
      if let index = rows.index(of: node) { leaving.append((index, row)) }
    }
    leaving.sort { $0.index < $1.index }
    for (index, _) in leaving.reversed() {
      try count(Self.rowSteps)
      rows.remove(at: index)
    }
    var end = leaving.count
    while end > 0 {
      var start = end - 1
      while start > 0, leaving[start - 1].index == leaving[start].index - 1 { start -= 1 }
      let run = leaving[start..<end].map(\.row)
      delta.delete(at: leaving[start].index, count: Int32(run.count), rows: run)
      end = start
    }
    return !leaving.isEmpty
  }

  /// Inserts rows, from the lowest index up; returns false if there are none.
  ///
  /// A row directly after the last inserted one needs no search.
  private func putIn(
    to rows: inout RowSequence<Width>,
    by ranking: RowRanking<Width>,
    in forest: borrowing Forest<Width>,
    recording delta: inout RowDelta<Width>,
    _ count: (Int) throws(Interruption) -> Void
  ) throws(Interruption) -> Bool {
    let coming = came.map { ($0, ranking.place(of: $0, in: forest)) }.sorted { $0.1 < $1.1 }
    var index: Int32 = 0
    var run: Int32 = 0
    // The place of the row at the index; nil at the end, and before the first search.
    var next: LayerPlace?
    for (number, (node, place)) in coming.enumerated() {
      try count(Self.rowSteps)
      if number == 0 || next.map({ $0 < place }) ?? false {
        delta.insert(at: index - run, count: run)
        run = 0
        index = rows.firstIndex(from: index) { ranking.place(of: $0, in: forest) > place }
        next = index < rows.count ? ranking.place(of: rows.node(at: index), in: forest) : nil
      }
      rows.insert(node, depth: forest.place(of: node).depth, at: index)
      index += 1
      run += 1
    }
    delta.insert(at: index - run, count: run)
    return !coming.isEmpty
  }

  /// The number of steps that are counted for the removal or insertion of a row.
  private static var rowSteps: Int { 8 }
}

extension RowDelta {
  /// The listed deleted rows by node, with their former parents and depths.
  ///
  /// - Complexity: O(rows listed).
  var rowsTakenOut: [NodeID: Listed] {
    var rows: [NodeID: Listed] = [:]
    forEach { run, _, _ in
      guard run.kind == .deleted, run.list >= 0 else { return }
      for row in listed[Int(run.list)..<Int(run.list + run.count)] { rows[row.node] = row }
    }
    return rows
  }
}
