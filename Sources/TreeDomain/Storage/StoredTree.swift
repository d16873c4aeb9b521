/// A tree by its names.
public struct StoredTree: Equatable, Sendable {
  /// Its number.
  public var number: TreeNumber
  /// Its id.
  public var id: TreeID
  /// Whether it belongs to a single session.
  public var isPrivate: Bool
  /// What there is to say of it beside its numbers.
  public var about: [UInt8]
  /// Its revision after the last entry.
  public var revision = 0
  /// How many nodes it has after the last entry.
  public var nodeCount = 0
  /// Whether the last entry is damaged, so that it does not tell these.
  public var isDamaged = false

  /// Makes a tree.
  public init(number: TreeNumber, id: TreeID, isPrivate: Bool, about: [UInt8]) {
    self.number = number
    self.id = id
    self.isPrivate = isPrivate
    self.about = about
  }
}
