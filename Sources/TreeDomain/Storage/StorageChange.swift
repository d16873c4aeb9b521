/// One change of what is stored.
public enum StorageChange: Equatable, Sendable {
  /// Enters a tree, which has no entries yet.
  case makeTree(StoredTree)
  /// Keeps what there is to say of a tree beside its numbers.
  case describeTree(TreeNumber, about: [UInt8])
  /// Removes a tree and its sessions.
  case deleteTree(TreeNumber)
  /// Adds the next entry to the journal of a tree.
  case append(StoredEntry, to: TreeNumber)
  /// Adds the next part of a snapshot that is not whole yet; the first one begins it. Nothing where
  /// the tree was deleted.
  case addPart([UInt8], index: Int, of: StoredSnapshot)
  /// A snapshot is whole: it takes the place of the one before, and of the entries up to its own.
  /// Nothing, where the tree was deleted.
  case finishSnapshot(StoredSnapshot)
  /// Enters a session, or what is new about it.
  case putSession(StoredSession)
  /// Removes a session; one that expired is remembered as such, until others expire a day later.
  case removeSession(SessionID, expired: Bool)
  /// Keeps what was made for a request.
  case keepCreation(StoredCreation)
}

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

  /// Makes a tree.
  public init(number: TreeNumber, id: TreeID, isPrivate: Bool, about: [UInt8]) {
    self.number = number
    self.id = id
    self.isPrivate = isPrivate
    self.about = about
  }
}

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

  /// Makes an entry.
  public init(number: Int, revision: Int, nodeCount: Int, body: [UInt8]) {
    self.number = number
    self.revision = revision
    self.nodeCount = nodeCount
    self.body = body
  }
}

/// A snapshot of a tree: everything up to an entry.
public struct StoredSnapshot: Equatable, Sendable {
  /// The tree.
  public var tree: TreeNumber
  /// The number of the last entry that is in it.
  public var entry: Int
  /// How many parts it has; of one that is not whole yet, how many so far.
  public var parts: Int
  /// The tree's revision then.
  public var revision: Int
  /// How many nodes the tree had then.
  public var nodeCount: Int

  /// Makes a snapshot.
  public init(tree: TreeNumber, entry: Int, parts: Int, revision: Int, nodeCount: Int) {
    self.tree = tree
    self.entry = entry
    self.parts = parts
    self.revision = revision
    self.nodeCount = nodeCount
  }
}

/// A session by its names.
public struct StoredSession: Equatable, Sendable {
  /// Its id.
  public var id: SessionID
  /// The tree it looks at.
  public var tree: TreeNumber
  /// Whether that tree is its own.
  public var isPrivate: Bool
  /// How long it may lie idle, in seconds; 0 for ever.
  public var idleTimeoutSeconds: Int
  /// When it was last used, about, in seconds since 1970.
  public var lastUse: Int
  /// Whether it has expired, and is only remembered.
  public var isExpired = false

  /// Makes a session.
  public init(
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

  /// When its time is over, in seconds since 1970, if it ever is.
  public var end: Int { lastUse + idleTimeoutSeconds }

  /// How long is remembered that one expired, in seconds.
  public static let rememberedSeconds = 86_400
}

/// What was made for a request with an idempotency key.
public struct StoredCreation: Equatable, Sendable {
  /// The client's token.
  public var token: [UInt8]
  /// When, in seconds since 1970.
  public var time: Int
  /// Creations before this moment are forgotten when it is kept.
  public var forgotten = 0
  /// The request's fingerprint, and what was answered.
  public var body: [UInt8]

  /// Makes a creation.
  public init(token: [UInt8], time: Int, body: [UInt8]) {
    self.token = token
    self.time = time
    self.body = body
  }
}
