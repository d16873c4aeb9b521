/// Chooses the rows that move: as few as possible.
///
/// Everything below a node moves with it. So if a row's parent stays, only the row's siblings
/// decide whether it can stay. Rows keep their order if their siblings do, on every level. Among
/// the children of each parent, an ordered subset with the most staying rows is kept. Children are
/// decided before their parents, because the weight of a parent depends on them.
struct MovedSubtrees {
  private let rows: [ReturnedRow]
  /// The nodes that may move on their own, or nil for all.
  private let movers: NodeSet?
  /// The index of each row's parent among the rows, or -1.
  private let parents: [Int]
  /// The number of rows, at and below each row, that stay if it stays.
  private var weights: [Int]
  /// For each row, true if it stays when its parent stays.
  private var isKept: [Bool]

  /// Decides which rows stay.
  ///
  /// - Parameters:
  ///   - rows: The rows by ascending new index, so that parents come first.
  ///   - movers: The nodes that may move on their own, or nil for all. Other rows stay unless an
  ///     ancestor moves.
  /// - Complexity: O(*n* log *n*).
  init(_ rows: [ReturnedRow], movers: NodeSet?) {
    self.rows = rows
    self.movers = movers
    parents = Self.parents(of: rows)
    weights = Array(repeating: 1, count: rows.count)
    isKept = Array(repeating: false, count: rows.count)
    if parents.allSatisfy({ $0 < 0 }) { keepMost(of: Array(rows.indices)) } else { chooseByLevel() }
  }

  /// For each row, true if it moves.
  var isMoved: [Bool] {
    var isMoved = isKept.map { !$0 }
    for place in rows.indices where parents[place] >= 0 && isMoved[parents[place]] {
      isMoved[place] = true
    }
    return isMoved
  }

  /// Returns the index of each row's parent among the rows, or -1 if it is not among them.
  static func parents(of rows: [ReturnedRow]) -> [Int] {
    // Siblings are never ancestors of each other.
    if rows.allSatisfy({ $0.parent == rows[0].parent }) {
      return Array(repeating: -1, count: rows.count)
    }
    var nodes = NodeSet()
    for row in rows { nodes.insert(row.node) }
    return rows.map { nodes.place(of: $0.parent) ?? -1 }
  }

  /// Decides about the children of each row, and last about rows whose parent is not among the
  /// rows.
  private mutating func chooseByLevel() {
    // Linked lists of the children of each row.
    var first = Array(repeating: -1, count: rows.count + 1)
    var next = Array(repeating: -1, count: rows.count)
    for place in rows.indices.reversed() {
      let family = parents[place] < 0 ? rows.count : parents[place]
      next[place] = first[family]
      first[family] = place
    }
    func children(_ family: Int) -> [Int] {
      var found: [Int] = []
      var place = first[family]
      while place >= 0 {
        found.append(place)
        place = next[place]
      }
      return found
    }
    for family in rows.indices.reversed() where first[family] >= 0 {
      weights[family] += keepMost(of: children(family))
    }
    keepMost(of: children(rows.count))
  }

  /// Keeps an ordered subset of siblings that has the most staying rows at and below it.
  ///
  /// - Parameter siblings: The indexes of the siblings, ascending.
  /// - Returns: The number of rows that stay.
  @discardableResult
  private mutating func keepMost(of siblings: [Int]) -> Int {
    let candidates = siblings.filter { rows[$0].gap != nil }
    let (bound, free) = bound(candidates)
    var count = 0
    for place in bound + inOrder(free) {
      isKept[place] = true
      count += weights[place]
    }
    return count
  }

  /// Returns the rows that must not move, and the others that fit in order between them.
  private func bound(_ candidates: [Int]) -> (bound: [Int], free: [Int]) {
    guard let movers else { return ([], candidates) }
    let bound = candidates.filter { movers.place(of: rows[$0].node) == nil }
    if bound.isEmpty { return ([], candidates) }
    if bound.count == candidates.count { return (bound, []) }
    var free: [Int] = []
    var behind = bound[...]
    var last: Int32 = -1
    for place in candidates {
      let index = rows[place].index
      if behind.first == place {
        behind.removeFirst()
        last = index
      } else if last < index, behind.first.map({ index < rows[$0].index }) ?? true {
        free.append(place)
      }
    }
    return (bound, free)
  }

  /// Returns the ordered subset of the given rows with the greatest total weight.
  private func inOrder(_ places: [Int]) -> [Int] {
    let isInOrder = zip(places, places.dropFirst()).allSatisfy { rows[$0].index < rows[$1].index }
    if isInOrder { return places }
    let isEven = places.allSatisfy { weights[$0] == weights[places[0]] }
    if isEven { return longestIncreasing(places.map { rows[$0].index }).map { places[$0] } }
    let items = places.map { (value: Int(rows[$0].index), weight: weights[$0]) }
    return heaviestIncreasing(items).map { places[$0] }
  }
}
