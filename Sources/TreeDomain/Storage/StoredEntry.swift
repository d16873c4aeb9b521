/// A stored entry of a tree's journal.
package struct StoredEntry: Equatable, Sendable {
  /// The number of the entry in its tree, from 1.
  package var number: Int
  /// The tree's revision after the entry.
  package var revision: Int
  /// The number of nodes in the tree after the entry.
  package var nodeCount: Int
  /// The encoded journal entry.
  package var body: [UInt8]

  /// The largest body, in bytes, that every storage engine accepts.
  ///
  /// A row of SQLite has at most 10⁹.
  package static let maxBytes = 999_000_000

  /// Makes an entry.
  package init(number: Int, revision: Int, nodeCount: Int, body: [UInt8]) {
    self.number = number
    self.revision = revision
    self.nodeCount = nodeCount
    self.body = body
  }
}
