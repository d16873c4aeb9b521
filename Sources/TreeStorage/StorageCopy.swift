public import TreeDomain

/// Copies all that is stored from one engine to another, so that an operator can change over.
///
/// The copy goes on at the revisions of the original, with all entries, sessions and idempotency
/// keys. Nobody may write to the original meanwhile or afterwards.
public struct StorageCopy {
  /// The numbers of things that were copied.
  public struct Counts: Sendable {
    /// The number of trees.
    public fileprivate(set) var trees = 0
    /// The number of sessions, those that expired as well.
    public fileprivate(set) var sessions = 0
  }

  private var counts = Counts()
  private let source: any TreeStorage
  private let target: any TreeStorage
  private var waiting: [StorageChange] = []
  private var waitingBytes = 0

  /// The size of a commit, in bytes and changes.
  private static let maxBytes = 8 << 20
  private static let maxChanges = 2_000

  /// Copies all of it.
  ///
  /// - Returns: The numbers of things that were copied.
  /// - Throws: ``StorageError/refused(_:)`` if the target is not empty. After another error the
  ///   target is not complete, and of no use.
  public static func make(
    from source: any TreeStorage,
    to target: any TreeStorage
  ) throws(StorageError) -> Counts {
    let hasTrees = try target.nextTreeNumber() != TreeNumber(1)
    let creations = try target.creations()
    guard !hasTrees, creations.isEmpty else {
      throw .refused("something is stored there already")
    }
    var copy = StorageCopy(source, target)
    try copy.run()
    return copy.counts
  }

  private init(_ source: any TreeStorage, _ target: any TreeStorage) {
    self.source = source
    self.target = target
  }

  private mutating func run() throws(StorageError) {
    try copyTrees()
    try copySessions()
    for creation in try source.creations() {
      try add(.keepCreation(creation), bytes: creation.body.count)
    }
    for retired in try source.retiredRevisions() { try add(.retire(retired)) }
    if let reading = try source.clockReading() { try add(.setClock(reading)) }
    try flush()
    // Revisions of a generation may have been shown that no entry has yet.
    let current = try source.generations().current
    if current.number > 0 {
      target.noteLoss(entry: 0, revision: Int(current.number))
      // It is stored with a commit at the latest.
      try target.probe()
    }
  }

  private mutating func copyTrees() throws(StorageError) {
    var last = TreeNumber(0)
    while true {
      let numbers = try source.trees(after: last, limit: 1_000)
      guard let newest = numbers.last else { break }
      last = newest
      for number in numbers {
        if let tree = try source.tree(number) { try copy(tree) }
      }
    }
    // No number may come twice, not that of a tree that was deleted either.
    let next = try source.nextTreeNumber()
    guard next.value > last.next.value else { return }
    var random = SystemRandomNumberGenerator()
    let lastOne = TreeNumber(next.value - 1)
    let id = TreeID(using: &random)
    try add(.makeTree(StoredTree(number: lastOne, id: id, isPrivate: true, about: [])))
    try add(.deleteTree(lastOne))
  }

  private mutating func copy(_ tree: StoredTree) throws(StorageError) {
    counts.trees += 1
    try add(.makeTree(tree), bytes: tree.about.count)
    var last = 0
    if let snapshot = try source.snapshot(of: tree.number) {
      for index in 0..<snapshot.parts {
        var begun = snapshot
        begun.parts = index
        let bytes = try source.part(index, of: snapshot)
        try add(.addPart(bytes, index: index, of: begun), bytes: bytes.count)
      }
      try add(.finishSnapshot(snapshot))
      last = snapshot.entry
    }
    while true {
      let entries = try source.entries(of: tree.number, after: last, bytes: Self.maxBytes)
      guard let newest = entries.last else { return }
      last = newest.number
      for entry in entries { try add(.append(entry, to: tree.number), bytes: entry.body.count) }
    }
  }

  private mutating func copySessions() throws(StorageError) {
    var last: SessionID?
    while true {
      let found = try source.allSessions(after: last, limit: 1_000)
      guard let newest = found.last else { return }
      last = newest.id
      counts.sessions += found.count
      for session in found { try add(.makeSession(session), bytes: 100) }
    }
  }

  private mutating func add(_ change: StorageChange, bytes: Int = 0) throws(StorageError) {
    waiting.append(change)
    waitingBytes += bytes
    if waitingBytes >= Self.maxBytes || waiting.count >= Self.maxChanges { try flush() }
  }

  private mutating func flush() throws(StorageError) {
    guard !waiting.isEmpty else { return }
    try target.commit(waiting)
    waiting = []
    waitingBytes = 0
    target.tidy()
  }
}
