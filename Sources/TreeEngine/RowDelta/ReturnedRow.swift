/// A row that a transaction took out and put back.
struct ReturnedRow: Sendable {
  var index: Int32
  var newIndex: Int32
  var node: NodeID
  var parent: NodeID
  /// How deep it was.
  var depthBefore: Int32
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
    // One alone is in order with itself.
    if rows.count < 2 { return rows.filter { $0.gap == nil } }
    let isAway = isReordering ? outOfOrder(rows) : withSubtrees(rows)
    return zip(rows, isAway).compactMap { row, isAway in isAway ? row : nil }
  }

  // MARK: In another order

  /// The rows that move when rows are put in another order: as many nodes of the top level as can
  /// stay, and of the others as many as fit between those.
  ///
  /// With a node that has another place in the tree moves everything below it nevertheless.
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

  /// Whether each row is below one that has another parent or depth.
  private static func isCarried(_ rows: [ReturnedRow]) -> [Bool] {
    var isCarried = Array(repeating: false, count: rows.count)
    guard rows.contains(where: { !$0.isSame }) else { return isCarried }
    let parents = parents(of: rows)
    for place in rows.indices where parents[place] >= 0 {
      isCarried[place] = !rows[parents[place]].isSame || isCarried[parents[place]]
    }
    return isCarried
  }

  // MARK: With what is below

  private static func withSubtrees(_ rows: [ReturnedRow]) -> [Bool] {
    let parents = parents(of: rows)
    // Which of several longest subsequences is taken decides how many rows below must come along.
    let isAway = withSubtrees(rows, parents, keepingEarlier: false)
    let isFlat = parents.allSatisfy { $0 < 0 }
    guard !isFlat, isAway.contains(true), rows.contains(where: { $0.gap != nil }) else {
      return isAway
    }
    let other = withSubtrees(rows, parents, keepingEarlier: true)
    return other.count { $0 } < isAway.count { $0 } ? other : isAway
  }

  /// The place of each row's parent among the rows; -1 where it is none of them.
  private static func parents(of rows: [ReturnedRow]) -> [Int] {
    // Siblings are not above each other.
    if rows.allSatisfy({ $0.parent == rows[0].parent }) {
      return Array(repeating: -1, count: rows.count)
    }
    var nodes = NodeSet()
    for row in rows { nodes.insert(row.node) }
    return rows.map { nodes.place(of: $0.parent) ?? -1 }
  }

  private static func withSubtrees(
    _ rows: [ReturnedRow],
    _ parents: [Int],
    keepingEarlier: Bool
  ) -> [Bool] {
    var isAway = rows.map { $0.gap == nil }
    /// With a node moves everything below it.
    func addBelow() {
      for place in rows.indices where parents[place] >= 0 && isAway[parents[place]] {
        isAway[place] = true
      }
    }
    for round in 0...mostRounds {
      addBelow()
      let free = rows.indices.filter { !isAway[$0] }
      var isMoved = isAway
      for place in free { isMoved[place] = true }
      for place in staying(free, of: rows, keepingEarlier: keepingEarlier && round < mostRounds) {
        isMoved[place] = false
      }
      let torn = free.filter { !isMoved[$0] && parents[$0] >= 0 && isMoved[parents[$0]] }
      if torn.isEmpty || round == mostRounds {
        isAway = isMoved
        break
      }
      for place in torn { isAway[place] = true }
    }
    addBelow()
    takeBack(&isAway, of: rows, parents)
    return isAway
  }

  /// Lets rows that moved stay where they fit in among the ones that stayed.
  private static func takeBack(_ isAway: inout [Bool], of rows: [ReturnedRow], _ parents: [Int]) {
    // By row: the least index before of the rows from there on that stayed.
    var least = [Int32](repeating: .max, count: rows.count + 1)
    for place in rows.indices.reversed() {
      least[place] = isAway[place] ? least[place + 1] : rows[place].index
    }
    var last: Int32 = -1
    for (place, row) in rows.enumerated() {
      if isAway[place] {
        let isBelowMoved = parents[place] >= 0 && isAway[parents[place]]
        guard row.gap != nil, !isBelowMoved else { continue }
        guard last < row.index, row.index < least[place + 1] else { continue }
        isAway[place] = false
      }
      last = row.index
    }
  }

  /// Of rows at ascending places, the longest increasing subsequence of each gap's; of several, the
  /// one whose rows had lower indexes, or those that stand earlier now.
  private static func staying(
    _ places: [Int],
    of rows: [ReturnedRow],
    keepingEarlier: Bool = false
  ) -> [Int] {
    var staying: [Int] = []
    var rest = places[...]
    while let first = rest.first {
      let run = rest.prefix { rows[$0].gap == rows[first].gap }
      rest = rest.dropFirst(run.count)
      let indexes = run.map { rows[$0].index }
      if keepingEarlier {
        let kept = longestIncreasing(indexes.reversed().map { -$0 })
        staying += kept.map { run[run.endIndex - 1 - $0] }
      } else {
        staying += longestIncreasing(indexes).map { run[run.startIndex + $0] }
      }
    }
    return staying
  }
}
