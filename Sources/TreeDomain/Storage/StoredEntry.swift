/// A stored entry of a tree's journal.
public struct StoredEntry: Equatable, Sendable {
  /// The number of the entry in its tree, from 1.
  public var number: Int
  /// The tree's revision after the entry.
  public var revision: Int
  /// The number of nodes in the tree after the entry.
  public var nodeCount: Int
  /// The encoded journal entry.
  public var body: [UInt8]

  /// The largest body, in bytes, that every storage engine accepts.
  ///
  /// A row of SQLite has at most 10⁹.
  public static let maxBytes = 999_000_000

  /// Makes an entry.
  public init(number: Int, revision: Int, nodeCount: Int, body: [UInt8]) {
    self.number = number
    self.revision = revision
    self.nodeCount = nodeCount
    self.body = body
  }
}
