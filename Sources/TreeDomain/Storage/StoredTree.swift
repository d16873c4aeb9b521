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

/// The stored result of a creation request with an idempotency key.
package struct StoredCreation: Equatable, Sendable {
  /// The client's token.
  package var token: [UInt8]
  /// The time in seconds since 1970.
  package var time: Int
  /// The time before which creations are removed when this one is stored.
  package var forgotten = 0
  /// The request's fingerprint and its answer.
  package var body: [UInt8]

  /// Makes a creation.
  package init(token: [UInt8], time: Int, body: [UInt8]) {
    self.token = token
    self.time = time
    self.body = body
  }
}

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

/// A stored snapshot of a tree, which contains all changes up to an entry.
package struct StoredSnapshot: Equatable, Sendable {
  /// The number of the tree.
  package var tree: TreeNumber
  /// The number of the last entry in the snapshot.
  package var entry: Int
  /// The number of its parts.
  ///
  /// For an incomplete snapshot: the parts so far.
  package var parts: Int
  /// The tree's revision in the snapshot.
  package var revision: Int
  /// The number of nodes in the snapshot.
  package var nodeCount: Int

  /// Makes a snapshot.
  package init(tree: TreeNumber, entry: Int, parts: Int, revision: Int, nodeCount: Int) {
    self.tree = tree
    self.entry = entry
    self.parts = parts
    self.revision = revision
    self.nodeCount = nodeCount
  }
}

/// A stored session.
package struct StoredSession: Equatable, Sendable {
  /// The id of the session.
  package var id: SessionID
  /// The number of its tree.
  package var tree: TreeNumber
  /// True if the tree is private.
  package var isPrivate: Bool
  /// The idle timeout in seconds.
  ///
  /// 0 for none.
  package var idleTimeoutSeconds: Int
  /// The approximate time of the last use, in seconds since 1970.
  package var lastUse: Int
  /// True if the session expired and is only remembered.
  package var isExpired = false
  /// The changes that clients of it may make.
  package var access = SessionAccess.write
  /// The digest of its secret, if it has one.
  package var digest: SecretDigest?

  /// Makes a session.
  package init(
    id: SessionID,
    tree: TreeNumber,
    isPrivate: Bool,
    idleTimeoutSeconds: Int,
    lastUse: Int
  ) {
    self.id = id
    self.tree = tree
    self.isPrivate = isPrivate
    self.idleTimeoutSeconds = idleTimeoutSeconds
    self.lastUse = lastUse
  }

  /// The time at which it expires, in seconds since 1970, unless the idle timeout is 0.
  package var end: Int { lastUse + idleTimeoutSeconds }

  /// The time for which an expired session is remembered, in seconds.
  package static let rememberedSeconds = 86_400
}
