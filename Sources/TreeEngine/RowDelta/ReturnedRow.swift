/// A row that a transaction took out and put back.
struct ReturnedRow: Sendable {
  var index: Int32
  var newIndex: Int32
  var node: NodeID
  var parent: NodeID
  /// Retained rows before it, then and now alike; nil when its depth, its parent or the retained
  /// rows before it are not what they were, so that it moved in any case.
  var gap: Int32?
  /// Its depth and its parent are what they were.
  var isSame = true

  /// Leaving out is repeated so often at most.
  private static let mostRounds = 8

  /// Tells the rows that moved from those that are where they were.
  ///
  /// Of the rows that could have stayed, as many as possible did: a longest increasing subsequence.
  /// But with a node moves everything below it, so rows whose parent moved are left out of it. That
  /// can make room for others, which are taken back: no row moves that could have stayed among
  /// those that did.
  ///
  /// - Parameters:
  ///   - rows: all returned rows, by ascending new index, so that parents come first.
  ///   - isReordering: rows move without what is below them.
  /// - Returns: those that moved.
  /// - Complexity: O(*n* log *n*).
  static func moved(of rows: [ReturnedRow], isReordering: Bool) -> [ReturnedRow] {
    if isReordering {
      let kept = inNewOrder(rows.filter { $0.gap != nil })
      return rows.filter { !kept.contains($0.node) }
    }
    // Which of several longest subsequences is taken decides how many rows below must come along.
    let moved = movedWithSubtrees(rows, keepingEarlier: false)
    guard !moved.isEmpty else { return moved }
    let others = movedWithSubtrees(rows, keepingEarlier: true)
    return others.count < moved.count ? others : moved
  }

  /// The rows that stay when rows are put in another order: as many nodes of the top level as can,
  /// and of the others as many as fit between those.
  private static func inNewOrder(_ rows: [ReturnedRow]) -> Set<NodeID> {
    let tops = rows.filter { $0.parent == .forestRoot }
    let kept = Set(tops.map(\.node)).subtracting(outOfOrder(tops))
    // By row: the least index before of the nodes of the top level that stay from there on.
    var least = [Int32](repeating: .max, count: rows.count + 1)
    for place in rows.indices.reversed() {
      least[place] = kept.contains(rows[place].node) ? rows[place].index : least[place + 1]
    }
    var last: Int32 = -1
    var fitting: [ReturnedRow] = []
    for (place, row) in rows.enumerated() {
      if kept.contains(row.node) { last = row.index }
      let isTop = row.parent == .forestRoot
      let fits = isTop ? kept.contains(row.node) : last < row.index && row.index < least[place]
      if fits { fitting.append(row) }
    }
    return Set(fitting.map(\.node)).subtracting(outOfOrder(fitting))
  }

  private static func movedWithSubtrees(
    _ rows: [ReturnedRow],
    keepingEarlier: Bool
  ) -> [ReturnedRow] {
    var away: Set<NodeID> = Set(rows.filter { $0.gap == nil }.map(\.node))
    for _ in 0..<mostRounds {
      addBelow(&away, of: rows)
      let free = rows.filter { !away.contains($0.node) }
      let moved = outOfOrder(free, keepingEarlier: keepingEarlier)
      let torn = free.filter { moved.contains($0.parent) && !moved.contains($0.node) }
      away.formUnion(torn.isEmpty ? moved : Set(torn.map(\.node)))
      if torn.isEmpty { return takeBack(from: away, of: rows) }
    }
    away.formUnion(outOfOrder(rows.filter { !away.contains($0.node) }))
    addBelow(&away, of: rows)
    return takeBack(from: away, of: rows)
  }

  /// With a node moves everything below it.
  private static func addBelow(_ away: inout Set<NodeID>, of rows: [ReturnedRow]) {
    for row in rows where away.contains(row.parent) { away.insert(row.node) }
  }

  /// The rows that moved, without those that fit in among the ones that stayed.
  private static func takeBack(from away: Set<NodeID>, of rows: [ReturnedRow]) -> [ReturnedRow] {
    // By row: the least index before of the rows from there on that stayed.
    var least = [Int32](repeating: .max, count: rows.count + 1)
    for place in rows.indices.reversed() {
      least[place] = away.contains(rows[place].node) ? least[place + 1] : rows[place].index
    }
    var away = away
    var last: Int32 = -1
    for (place, row) in rows.enumerated() {
      if away.contains(row.node) {
        guard row.gap != nil, !away.contains(row.parent) else { continue }
        guard last < row.index, row.index < least[place + 1] else { continue }
        away.remove(row.node)
      }
      last = row.index
    }
    return rows.filter { away.contains($0.node) }
  }

  /// The rows outside a longest increasing subsequence of each gap's; of several, the one whose
  /// rows had lower indexes, or those that stand earlier now.
  private static func outOfOrder(
    _ rows: [ReturnedRow],
    keepingEarlier: Bool = false
  ) -> Set<NodeID> {
    var moved: Set<NodeID> = []
    var start = 0
    while start < rows.count {
      let end = rows[start...].firstIndex { $0.gap != rows[start].gap } ?? rows.count
      let indexes = rows[start..<end].map(\.index)
      let kept =
        keepingEarlier
        ? Set(longestIncreasing(indexes.reversed().map { -$0 }).map { indexes.count - 1 - $0 })
        : Set(longestIncreasing(indexes))
      for place in start..<end where !kept.contains(place - start) {
        moved.insert(rows[place].node)
      }
      start = end
    }
    return moved
  }
}
