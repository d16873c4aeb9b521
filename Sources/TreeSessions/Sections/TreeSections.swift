import TreeDomain
import TreeEngine

/// The sections of a tree, in order.
///
/// There is always at least one.
///
/// In the engine, a section is the parent node of its roots. Its key cannot be a client's, its
/// object contains its name, and it is no row of the contract. So a section is collapsed, moved and
/// removed like a node.
struct TreeSections: Equatable, Sendable {
  struct Section: Equatable, Sendable {
    let node: NodeID
    let name: [UInt8]
  }

  private(set) var all: [Section]
  /// The size of all names in bytes.
  private(set) var nameBytes = 0

  init(_ sections: [Section]) {
    all = sections
    nameBytes = sections.reduce(0) { $0 + $1.name.count }
  }

  /// The memory of the list without its names, in bytes.
  var listBytes: Int { all.capacity * MemoryLayout<Section>.stride }

  /// The approximate memory of the names, each of which is an array, in bytes.
  ///
  /// - Complexity: O(1).
  var allNameBytes: Int { all.count * 48 + nameBytes }

  /// The approximate memory of the sections in a description, in bytes.
  ///
  /// - Complexity: O(1).
  var descriptionBytes: Int {
    isShown ? all.count * MemoryLayout<ByteSlice>.stride + nameBytes : 0
  }

  /// Returns the size in bytes of the names that other sections do not have.
  ///
  /// A name takes 32 bytes besides its own.
  ///
  /// - Complexity: O(sections).
  func nameBytes(missingIn others: TreeSections) -> Int {
    // Most changes leave nearly all sections where they are.
    let before = zip(all, others.all).prefix { $0.name == $1.name }.count
    let (own, other) = (all.dropFirst(before), others.all.dropFirst(before))
    let after = zip(own.reversed(), other.reversed()).prefix { $0.name == $1.name }.count
    let kept = Set(other.dropLast(after).map(\.name))
    return own.dropLast(after).reduce(0) { $0 + (kept.contains($1.name) ? 0 : 32 + $1.name.count) }
  }

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

  /// True if sections are shown.
  ///
  /// A nameless section that is the only one is not shown.
  var isShown: Bool { all.count > 1 || all.first?.name.isEmpty == false }

  /// The sections that are shown.
  var shown: [Section] { isShown ? all : [] }

  /// The nodes of the sections, by name.
  var nodes: [[UInt8]: NodeID] {
    Dictionary(all.map { ($0.name, $0.node) }) { _, last in last }
  }

  /// Returns the sections with new ids of their nodes; nil if a node no longer exists.
  func renumbered(_ new: NodeRenumbering) -> TreeSections? {
    var renumbered: [Section] = []
    for section in all {
      guard let node = new[section.node] else { return nil }
      renumbered.append(Section(node: node, name: section.name))
    }
    return TreeSections(renumbered)
  }
}
