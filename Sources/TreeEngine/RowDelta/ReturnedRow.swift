/// A row that a transaction removed and inserted again.
struct ReturnedRow: Sendable {
  var index: Int32
  var newIndex: Int32
  var node: NodeID
  var parent: NodeID
  /// The former depth.
  var depthBefore: Int32
  /// The number of retained rows before it, if it is the same before and after.
  ///
  /// It is nil if that number, the depth or the parent changed. The row has then moved in any case.
  var gap: Int32?
  /// True if its depth and its parent did not change.
  var isSame = true

  /// Returns the rows that moved, as few as possible.
  ///
  /// - Parameters:
  ///   - rows: All returned rows, by ascending new index, so that parents come first.
  ///   - isReordering: True if a row can move without its descendants, because the order of the
  ///     view changed.
  ///   - movers: The nodes that may move, with their descendants, or nil for all. Ignored if
  ///     `isReordering` is true.
  /// - Returns: The rows that moved, in the same order.
  /// - Complexity: O(*n* log *n*).
  static func moved(
    of rows: [ReturnedRow],
    isReordering: Bool,
    movers: NodeSet?
  ) -> [ReturnedRow] {
    // A single row is always in order.
    if rows.count < 2 { return rows.filter { $0.gap == nil } }
    if !isReordering, movers?.nodes.isEmpty ?? false { return [] }
    let isMoved = isReordering ? outOfOrder(rows) : MovedSubtrees(rows, movers: movers).isMoved
    return zip(rows, isMoved).compactMap { row, isMoved in isMoved ? row : nil }
  }

  /// Returns, for each row, true if it moves when the order of the view changes.
  ///
  /// As many roots as possible stay. Of the other rows as many stay as fit between those.
  /// Everything below a node with a new parent or depth moves in any case.
  private static func outOfOrder(_ rows: [ReturnedRow]) -> [Bool] {
    let isCarried = isCarried(rows)
    let candidates = rows.indices.filter { rows[$0].gap != nil && !isCarried[$0] }
    let tops = candidates.filter { rows[$0].parent == .forestRoot }
    var isKept = Array(repeating: false, count: rows.count)
    for place in staying(tops, of: rows) { isKept[place] = true }
    // For each row: the least former index of the staying roots from there on.
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

  /// Returns, for each row, true if an ancestor among the rows has a new parent or depth.
  private static func isCarried(_ rows: [ReturnedRow]) -> [Bool] {
    var isCarried = Array(repeating: false, count: rows.count)
    guard rows.contains(where: { !$0.isSame }) else { return isCarried }
    let parents = MovedSubtrees.parents(of: rows)
    for place in rows.indices where parents[place] >= 0 {
      isCarried[place] = !rows[parents[place]].isSame || isCarried[parents[place]]
    }
    return isCarried
  }

  /// Returns a longest subset of the given rows whose former indexes ascend.
  private static func staying(_ places: [Int], of rows: [ReturnedRow]) -> [Int] {
    longestIncreasing(places.map { rows[$0].index }).map { places[$0] }
  }
}
