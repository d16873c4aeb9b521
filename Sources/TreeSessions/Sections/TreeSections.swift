import TreeDomain
import TreeEngine

/// A tree's sections in order; there is always one.
///
/// To the engine a section is a node above its roots: its key is of no client's making, its object
/// holds its name, and it is no row. That makes collapsing, moving and removing a section what it
/// is for a node.
struct TreeSections: Equatable, Sendable {
  struct Section: Equatable, Sendable {
    let node: NodeID
    let name: [UInt8]
  }

  var all: [Section]

  init(_ sections: [Section]) { all = sections }

  /// Whether the tree counts as one with sections: a single nameless one is not shown.
  var isShown: Bool { all.count > 1 || all.first?.name.isEmpty == false }

  /// Those that are shown.
  var shown: [Section] { isShown ? all : [] }

  /// Their nodes by their names.
  var nodes: [[UInt8]: NodeID] {
    Dictionary(all.map { ($0.name, $0.node) }) { _, last in last }
  }

  /// The same with other ids of their nodes; nil where one is not known any more.
  func renumbered(_ new: NodeRenumbering) -> TreeSections? {
    var renumbered: [Section] = []
    for section in all {
      guard let node = new[section.node] else { return nil }
      renumbered.append(Section(node: node, name: section.name))
    }
    return TreeSections(renumbered)
  }
}
