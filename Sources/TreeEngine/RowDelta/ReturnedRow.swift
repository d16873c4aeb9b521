/// A row that a transaction took out and put back.
struct ReturnedRow: Sendable {
  var index: Int32
  var newIndex: Int32
  var node: NodeID
  var parent: NodeID
  /// How deep it was.
  var depthBefore: Int32
  /// The number of retained rows before it, if that is the same then and now.
  ///
  /// Nil if that, its depth or its parent changed, so that the row moved in any case.
  var gap: Int32?
  /// True if its depth and its parent are what they were.
  var isSame = true

  /// Returns the rows that moved, the fewest possible.
  ///
  /// - Parameters:
  ///   - rows: All returned rows, by ascending new index, so that parents come first.
  ///   - isReordering: True if the rows got another order, in which a row moves without what is
  ///     below it.
  ///   - movers: The nodes that may move, with what is below them; nil for all. Of no effect with
  ///     `isReordering`.
  /// - Returns: The rows that moved, in the same order.
  /// - Complexity: O(*n* log *n*).
  static func moved(
    of rows: [ReturnedRow],
    isReordering: Bool,
    movers: NodeSet?
  ) -> [ReturnedRow] {
    // One alone is in order with itself.
    if rows.count < 2 { return rows.filter { $0.gap == nil } }
    if !isReordering, movers?.nodes.isEmpty ?? false { return [] }
    let isMoved = isReordering ? outOfOrder(rows) : MovedSubtrees(rows, movers: movers).isMoved
    return zip(rows, isMoved).compactMap { row, isMoved in isMoved ? row : nil }
  }

  /// Returns, by row, true if it moves when rows are put in another order.
  ///
  /// As many nodes of the top level stay as can, and of the others as many as fit between those.
  /// Everything below a node that has another place in the tree moves nevertheless.
  private static func outOfOrder(_ rows: [ReturnedRow]) -> [Bool] {
    let isCarried = isCarried(rows)
    let candidates = rows.indices.filter { rows[$0].gap != nil && !isCarried[$0] }
    let tops = candidates.filter { rows[$0].parent == .forestRoot }
    var isKept = Array(repeating: false, count: rows.count)
    for place in staying(tops, of: rows) { isKept[place] = true }
    // By row: the least index before of the nodes of the top level that stay from there on.
    var least = [Int32](repeating: .max, count: rows.count + 1)
    for place in rows.indices.reversed() {
      least[place] = isKept[place] ? rows[place].index : least[place + 1]
    }
    var last: Int32 = -1
    var fitting: [Int] = []
    for place in candidates {
      let row = rows[place]
      if isKept[place] { last = row.index }
      let isTop = row.parent == .forestRoot
      let fits = isTop ? isKept[place] : last < row.index && row.index < least[place]
      if fits { fitting.append(place) }
    }
    var isAway = Array(repeating: true, count: rows.count)
    for place in staying(fitting, of: rows) { isAway[place] = false }
    return isAway
  }

  /// Returns, by row, true if it is below one that has another parent or depth.
  private static func isCarried(_ rows: [ReturnedRow]) -> [Bool] {
    var isCarried = Array(repeating: false, count: rows.count)
    guard rows.contains(where: { !$0.isSame }) else { return isCarried }
    let parents = MovedSubtrees.parents(of: rows)
    for place in rows.indices where parents[place] >= 0 {
      isCarried[place] = !rows[parents[place]].isSame || isCarried[parents[place]]
    }
    return isCarried
  }

  /// Returns, of rows at ascending places, a longest increasing subsequence.
  private static func staying(_ places: [Int], of rows: [ReturnedRow]) -> [Int] {
    longestIncreasing(places.map { rows[$0].index }).map { places[$0] }
  }
}
