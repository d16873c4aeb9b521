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

  private(set) var all: [Section]
  /// The bytes of all names.
  private var nameBytes = 0

  init(_ sections: [Section]) {
    all = sections
    nameBytes = sections.reduce(0) { $0 + $1.name.count }
  }

  /// About how many bytes the sections take, with the table of their names.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { all.count * Self.sectionBytes + nameBytes }

  /// The bytes of a section without its name, here and in the table of names.
  private static var sectionBytes: Int { 160 }

  mutating func insert(_ sections: [Section], at index: Int) {
    all.insert(contentsOf: sections, at: index)
    nameBytes += sections.reduce(0) { $0 + $1.name.count }
  }

  mutating func remove(at index: Int) { nameBytes -= all.remove(at: index).name.count }

  mutating func move(from index: Int, to newIndex: Int) {
    all.insert(all.remove(at: index), at: newIndex)
  }

  mutating func rename(at index: Int, to name: [UInt8]) {
    nameBytes += name.count - all[index].name.count
    all[index] = Section(node: all[index].node, name: name)
  }

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
