@testable import TreeEngine

/// A large tree and one view as arrays in pre-order, with which the engine is compared.
///
/// Everything else is computed by a walk over the arrays.
struct Outline {
  struct Entry {
    var node: NodeID
    var depth: Int
    /// The expansion by rule and toggles, even for a leaf.
    var isExpanded: Bool
    var state = ChildState.leaf
  }

  private(set) var entries: [Entry] = []
  /// The index of each entry's parent, or -1 for a root.
  private(set) var parents: [Int] = []
  /// The end of each entry's subtree.
  private(set) var ends: [Int] = []
  private(set) var positions: [Int] = []
  /// The children of each entry, at the index of the entry plus 1.
  private(set) var children: [[Int]] = []
  /// The number of visible descendants of each entry, as if it were a row.
  private(set) var rowsBelow: [Int] = []
  /// The indexes of entries that are rows.
  private(set) var rows: [Int] = []
  /// The row of each entry; nil if it is hidden.
  private(set) var rowOf: [Int?] = []

  init(_ entries: [Entry]) {
    self.entries = entries
    derive()
  }

  private mutating func derive() {
    let count = entries.count
    parents = Array(repeating: -1, count: count)
    ends = Array(repeating: count, count: count)
    positions = Array(repeating: 0, count: count)
    children = Array(repeating: [], count: count + 1)
    var path: [Int] = []
    for place in entries.indices {
      while path.count > entries[place].depth { ends[path.removeLast()] = place }
      let parent = path.last ?? -1
      parents[place] = parent
      positions[place] = children[parent + 1].count
      children[parent + 1].append(place)
      path.append(place)
    }
    deriveRows()
  }

  private mutating func deriveRows() {
    rowsBelow = Array(repeating: 0, count: entries.count)
    for place in entries.indices.reversed() where parents[place] >= 0 {
      if entries[parents[place]].isExpanded { rowsBelow[parents[place]] += 1 + rowsBelow[place] }
    }
    rows = []
    rowOf = Array(repeating: nil, count: entries.count)
    var place = 0
    while place < entries.count {
      rowOf[place] = rows.count
      rows.append(place)
      place = entries[place].isExpanded ? place + 1 : ends[place]
    }
  }

  func node(_ place: Int) -> NodeID { place < 0 ? .forestRoot : entries[place].node }

  func row(_ place: Int) -> ViewRow {
    let parent = parents[place]
    let state = entries[place].state
    let isKnown = state == .leaf || state == .loaded
    return ViewRow(
      node: entries[place].node,
      index: rowOf[place],
      depth: entries[place].depth,
      parent: node(parent),
      position: positions[place],
      siblingCount: children[parent + 1].count,
      isExpanded: state != .leaf && entries[place].isExpanded,
      childState: state,
      childCount: isKnown ? children[place + 1].count : nil,
      visibleDescendantCount: rowsBelow[place]
    )
  }

  // MARK: Changes

  mutating func setExpanded(_ isExpanded: Bool, _ place: Int) {
    entries[place].isExpanded = isExpanded
    deriveRows()
  }

  /// Inserts a subtree as the `index`-th child of an entry.
  ///
  /// - Returns: The index of its first entry.
  @discardableResult
  mutating func insert(_ subtree: [Entry], under parent: Int, at index: Int) -> Int {
    let siblings = children[parent + 1]
    let end = parent < 0 ? entries.count : ends[parent]
    let place = index < siblings.count ? siblings[index] : end
    let depth = parent < 0 ? 0 : entries[parent].depth + 1
    let shift = depth - (subtree.first?.depth ?? 0)
    let shifted = subtree.map { entry in
      var entry = entry
      entry.depth += shift
      return entry
    }
    if parent >= 0 { entries[parent].state = .loaded }
    entries.insert(contentsOf: shifted, at: place)
    derive()
    return place
  }

  mutating func remove(_ place: Int) -> [Entry] {
    let subtree = Array(entries[place..<ends[place]])
    entries.removeSubrange(place..<ends[place])
    derive()
    return subtree
  }
}
