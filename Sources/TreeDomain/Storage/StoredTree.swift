/// A stored tree.
package struct StoredTree: Equatable, Sendable {
  /// The number of the tree in storage.
  package var number: TreeNumber
  /// The id of the tree.
  package var id: TreeID
  /// True if the tree is private.
  package var isPrivate: Bool
  /// The description of the tree, besides its counts.
  package var about: [UInt8]
  /// The tree's revision after the last entry.
  package var revision = 0
  /// The number of nodes after the last entry.
  package var nodeCount = 0
  /// True if the last entry is damaged.
  ///
  /// Then revision and node count are unknown.
  package var isDamaged = false

  /// Makes a tree.
  package init(number: TreeNumber, id: TreeID, isPrivate: Bool, about: [UInt8]) {
    self.number = number
    self.id = id
    self.isPrivate = isPrivate
    self.about = about
  }
}
