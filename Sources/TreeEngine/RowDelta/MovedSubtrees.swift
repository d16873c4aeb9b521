/// Chooses which of some rows move, so that the fewest rows do.
///
/// Everything below a node moves with it. So if a row's parent stays, only the row's siblings
/// decide if it can stay: rows keep their order where the siblings above them do, on every level.
/// Among the children of each parent, those stay that are in order and have the most rows that
/// stay. Children are decided before their parents, as weights come from below.
struct MovedSubtrees {
  private let rows: [ReturnedRow]
  /// The nodes that may move by themselves; nil for all.
  private let movers: NodeSet?
  /// By row: the place of its parent among the rows, or -1.
  private let parents: [Int]
  /// By row: how many rows at and below it stay if it does.
  private var weights: [Int]
  /// By row: true if it stays where its parent does.
  private var isKept: [Bool]

  /// Decides about rows.
  ///
  /// - Parameters:
  ///   - rows: Rows by ascending new index, so that parents come first.
  ///   - movers: The nodes that may move by themselves; nil for all. The other rows keep their
  ///     places as long as no row above them moves.
  /// - Complexity: O(*n* log *n*).
  init(_ rows: [ReturnedRow], movers: NodeSet?) {
    self.rows = rows
    self.movers = movers
    parents = Self.parents(of: rows)
    weights = Array(repeating: 1, count: rows.count)
    isKept = Array(repeating: false, count: rows.count)
    if parents.allSatisfy({ $0 < 0 }) { keepMost(of: Array(rows.indices)) } else { chooseByLevel() }
  }

  /// By row: true if it moves.
  var isMoved: [Bool] {
    var isMoved = isKept.map { !$0 }
    for place in rows.indices where parents[place] >= 0 && isMoved[parents[place]] {
      isMoved[place] = true
    }
    return isMoved
  }

  /// Returns the place of each row's parent among the rows; -1 where it is none of them.
  static func parents(of rows: [ReturnedRow]) -> [Int] {
    // Siblings are not above each other.
    if rows.allSatisfy({ $0.parent == rows[0].parent }) {
      return Array(repeating: -1, count: rows.count)
    }
    var nodes = NodeSet()
    for row in rows { nodes.insert(row.node) }
    return rows.map { nodes.place(of: $0.parent) ?? -1 }
  }

  /// Decides about the children of each row, and last about the rows whose parent is none of them.
  private mutating func chooseByLevel() {
    // Lists of children, linked by place.
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

  /// Keeps the siblings that are in order and have the most rows.
  ///
  /// - Parameter siblings: Places of rows, ascending.
  /// - Returns: How many rows stay.
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

  /// Returns the rows that must not move, and those of the others that fit in between.
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

  /// Returns those of some rows that keep their order and have the most rows.
  private func inOrder(_ places: [Int]) -> [Int] {
    let isInOrder = zip(places, places.dropFirst()).allSatisfy { rows[$0].index < rows[$1].index }
    if isInOrder { return places }
    let isEven = places.allSatisfy { weights[$0] == weights[places[0]] }
    if isEven { return longestIncreasing(places.map { rows[$0].index }).map { places[$0] } }
    let items = places.map { (value: Int(rows[$0].index), weight: weights[$0]) }
    return heaviestIncreasing(items).map { places[$0] }
  }
}
