import TestSupport
import Testing

@testable import TreeEngine

extension ShapePair {
  /// Compares all rows, and all queries for some random nodes.
  func check(nodes: Int, _ random: inout SeededGenerator, _ context: String) {
    #expect(tree.nodeCount == outline.entries.count, "\(context)")
    #expect(tree.rowCount(of: view) == outline.rows.count, "\(context)")
    var shown: [ViewRow] = []
    while shown.count < outline.rows.count {
      let page = tree.rows(from: shown.count, limit: 1_000, in: view)
      guard !page.isEmpty else { break }
      shown += page
    }
    let wrong = zip(shown, outline.rows).first { $0 != outline.row($1) }
    #expect(wrong == nil && shown.count == outline.rows.count, "\(context)")
    guard !outline.entries.isEmpty else { return }
    for _ in 0..<nodes {
      let place = random.number(in: 0...(outline.entries.count - 1))
      let wrong = difference(at: place, random.number(in: 0...1_000_000))
      #expect(wrong == nil, "place \(place), \(context)")
    }
  }

  /// Returns the first difference for a node, or nil. `pick` selects one of its children.
  private func difference(at place: Int, _ pick: Int) -> String? {
    let row = outline.row(place)
    let shown = tree.row(of: row.node, in: view)
    if shown != row { return "\(shown) is not \(row)" }
    if tree.rowIndex(of: row.node, in: view) != row.index { return "row index" }
    if let index = row.index, tree.node(atRow: index, in: view) != row.node { return "node at row" }
    if tree.depth(of: row.node) != row.depth { return "depth" }
    if tree.position(of: row.node) != row.position { return "position" }
    if tree.child(row.position, of: row.parent) != row.node { return "child at position" }
    let children = outline.children[place + 1]
    guard !children.isEmpty else { return nil }
    let child = pick % children.count
    let found = tree.children(of: row.node, from: child, limit: 3, in: view)
    let expected = children[child...].prefix(3).map { outline.row($0) }
    return found == expected ? nil : "children from \(child)"
  }
}
