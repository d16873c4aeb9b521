import Testing

@testable import TreeEngine

/// An engine and an outline with the same changes, each with an expected change list.
struct ShapePair<Width: NodeWidth>: ~Copyable {
  var tree = SizedTree<Width>(maxDepth: .max)
  let view: SizedTree<Width>.ViewID
  var outline: Outline
  private let rule: ExpansionRule
  private var nextKey: Int

  init(depths: [Int], rule: ExpansionRule) throws {
    self.rule = rule
    view = tree.addView(rule: rule)
    outline = Outline([])
    nextKey = 0
    tree.begin()
    var start = 0
    var entries: [Outline.Entry] = []
    while start < depths.count {
      let end = depths[(start + 1)...].firstIndex(of: 0) ?? depths.count
      entries += try insert(
        Array(depths[start..<end]),
        .forestRoot,
        tree.childCount(of: .forestRoot)
      )
      start = end
    }
    tree.commit()
    outline = Outline(entries)
  }

  /// Inserts leaves and parents of the given depths, with new keys.
  private mutating func insert(
    _ depths: [Int],
    _ parent: NodeID,
    _ index: Int
  ) throws -> [Outline.Entry] {
    var bytes: [UInt8] = []
    var nodes: [NewNode] = []
    for depth in depths {
      let start = bytes.count
      bytes += Array("n\(nextKey)".utf8)
      nextKey += 1
      let key = start..<bytes.count
      nodes.append(NewNode(key: key, object: 0..<0, depth: depth, childState: .leaf))
    }
    try tree.insert(nodes[...], bytes: bytes, under: parent, at: index)
    let base = parent == .forestRoot ? 0 : tree.depth(of: parent) + 1
    return nodes.enumerated().map { place, new in
      let isParent = place + 1 < nodes.count && nodes[place + 1].depth > new.depth
      return Outline.Entry(
        node: tree.node(forKey: bytes.span.extracting(new.key)) ?? .forestRoot,
        depth: base + new.depth,
        isExpanded: rule.expands(atDepth: Int32(base + new.depth + 1)),
        state: isParent ? .loaded : .leaf
      )
    }
  }

  // MARK: Changes

  /// Expands or collapses a node in its own transaction.
  mutating func setExpanded(_ isExpanded: Bool, _ place: Int, _ context: String) {
    let entry = outline.entries[place]
    let changes = entry.state != .leaf && entry.isExpanded != isExpanded
    let below = outline.rowsBelow[place]
    tree.begin()
    if isExpanded {
      tree.expand(entry.node, in: view)
    } else {
      tree.collapse(entry.node, in: view)
    }
    if changes { outline.setExpanded(isExpanded, place) }
    let count = isExpanded ? outline.rowsBelow[place] : below
    let inside = changes ? outline.rowOf[place].map { ($0 + 1)..<($0 + 1 + count) } : nil
    let list = tree.changes(of: view)
    expectOne(isExpanded ? nil : inside, isExpanded ? inside : nil, list, context)
    let isShown = changes && outline.rowOf[place] != nil
    #expect(list.updates.map(\.fields) == (isShown ? [.expanded] : []), "\(context)")
    tree.commit()
  }

  /// Inserts a subtree of the given depths in its own transaction.
  mutating func insert(
    _ depths: [Int],
    under parent: Int,
    at index: Int,
    _ context: String
  ) throws {
    tree.begin()
    let entries = try insert(depths, outline.node(parent), index)
    let place = outline.insert(entries, under: parent, at: index)
    let rows = outline.rowOf[place].map { $0..<($0 + 1 + outline.rowsBelow[place]) }
    expectOne(nil, rows, tree.changes(of: view), context)
    tree.commit()
  }

  /// Removes a subtree in its own transaction.
  mutating func remove(_ place: Int, _ context: String) {
    let rows = outline.rowOf[place].map { $0..<($0 + 1 + outline.rowsBelow[place]) }
    tree.begin()
    tree.remove(outline.node(place))
    _ = outline.remove(place)
    expectOne(rows, nil, tree.changes(of: view), context)
    tree.commit()
  }

  /// Moves a subtree in its own transaction.
  mutating func move(_ place: Int, under parent: Int, at index: Int, _ context: String) throws {
    let target = outline.node(parent)
    tree.begin()
    try tree.move(outline.node(place), under: target, at: index)
    let subtree = outline.remove(place)
    let newParent = outline.entries.firstIndex { $0.node == target } ?? -1
    outline.insert(subtree, under: newParent, at: index)
    tree.commit()
  }

  /// Checks that a list contains exactly one deletion or insertion.
  private func expectOne(
    _ deleted: Range<Int>?,
    _ inserted: Range<Int>?,
    _ list: ChangeList,
    _ context: String
  ) {
    let deletions = list.deletions.map { $0.index..<($0.index + $0.count) }
    let placements = list.placements.map { $0.newIndex..<($0.newIndex + $0.count) }
    let expectedDeletions = deleted.map { $0.isEmpty ? [] : [$0] } ?? []
    let expectedPlacements = inserted.map { $0.isEmpty ? [] : [$0] } ?? []
    #expect(deletions == expectedDeletions, "\(context)")
    #expect(placements == expectedPlacements, "\(context)")
    #expect(list.placements.allSatisfy { $0.index == nil }, "\(context)")
  }
}
