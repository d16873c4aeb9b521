/// A stored tree.
public struct StoredTree: Equatable, Sendable {
  /// The number of the tree in storage.
  public var number: TreeNumber
  /// The id of the tree.
  public var id: TreeID
  /// True if the tree is private.
  public var isPrivate: Bool
  /// The description of the tree, besides its counts.
  public var about: [UInt8]
  /// The tree's revision after the last entry.
  public var revision = 0
  /// The number of nodes after the last entry.
  public var nodeCount = 0
  /// True if the last entry is damaged.
  ///
  /// Then revision and node count are unknown.
  public var isDamaged = false

  /// Makes a tree.
  public init(number: TreeNumber, id: TreeID, isPrivate: Bool, about: [UInt8]) {
    self.number = number
    self.id = id
    self.isPrivate = isPrivate
    self.about = about
  }
}
