/// One thing that happened to a tree.
public struct StoredEntry: Equatable, Sendable {
  /// Its number among those of the tree, from 1 on.
  public var number: Int
  /// The tree's revision after it.
  public var revision: Int
  /// How many nodes the tree has after it.
  public var nodeCount: Int
  /// What happened.
  public var body: [UInt8]

  /// How many bytes of what happened every engine takes; SQLite's rows have at most 10⁹ in all.
  public static let maxBytes = 999_000_000

  /// Makes an entry.
  public init(number: Int, revision: Int, nodeCount: Int, body: [UInt8]) {
    self.number = number
    self.revision = revision
    self.nodeCount = nodeCount
    self.body = body
  }
}
