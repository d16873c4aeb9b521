internal import Glibc
internal import Synchronization
public import TreeDomain

/// Storage in one slot of a database of PostgreSQL, which one instance at a time owns.
///
/// A commit is a transaction, sent in one piece, which waits for the disk and for a synchronous
/// standby. If the connection is lost meanwhile, it is found out what became of it before anything
/// else is said. Another instance acquires the slot when the lease of its owner has run out or the
/// owner gave it up, and then no commit of the former owner is done.
///
/// A single connection commits, and the readers serve all slots. ``PostgreSQLCluster`` opens it.
public final class PostgreSQLStorage: TreeStorage {
  let readers: PostgreSQLSchemaReaders
  /// The number of the slot.
  public let slot: Int
  /// Nil if it is only read.
  private let writing: Writing?
  /// Nil if it is only read.
  let opened: PostgreSQLOpening.Opened?

  /// The writer, which one thread at a time uses.
  private final class Writing: Sendable {
    let writer: Mutex<PostgreSQLWriter>

    init(_ writer: consuming sending PostgreSQLWriter) { self.writer = Mutex(writer) }
  }

  /// Makes the storage of a slot that was acquired on a connection.
  init(
    _ opened: PostgreSQLOpening.Opened,
    _ address: PostgreSQLAddress,
    _ pool: PostgreSQLReaders,
    _ connection: sending PostgreSQLConnection
  ) {
    slot = opened.hold.slot
    self.opened = opened
    writing = Writing(PostgreSQLWriter(address, opened, connection))
    readers = PostgreSQLSchemaReaders(schema: PostgreSQLSchema.name(ofSlot: slot), pool: pool)
  }

  /// Makes the storage of a slot that is only read, whoever owns it.
  init(reading slot: Int, _ pool: PostgreSQLReaders) {
    self.slot = slot
    writing = nil
    opened = nil
    readers = PostgreSQLSchemaReaders(schema: PostgreSQLSchema.name(ofSlot: slot), pool: pool)
  }

  deinit { close() }

  /// Gives the slot up, so that another instance may have it at once.
  ///
  /// Nothing can be committed afterwards.
  public func close() {
    guard let hold = opened?.hold, hold.prepareEnd() else { return }
    // A last commit may wait for a database that is out of reach.
    if !hold.isValid { hold.interrupt() }
    // One that is lost has nothing to give up.
    if !hold.isLost { writing?.writer.withLock { $0.release() } }
    // What comes late is refused.
    hold.lose()
  }

  /// True after another instance has acquired the slot: this one must not answer any more.
  public var isLost: Bool { opened?.hold.isLost ?? false }

  /// True as long as surely no other instance owns the slot.
  ///
  /// It is false after some seconds without an answer of the database.
  public var isOwner: Bool { opened?.hold.isValid ?? false }

  /// Writes, while nobody else does.
  private func write<Value>(
    _ body: (inout PostgreSQLWriter) throws(StorageError) -> sending Value
  ) throws(StorageError) -> sending Value {
    guard let writing else { throw .failed("it was opened to be read only") }
    return try writing.writer.withLock { writer throws(StorageError) in try body(&writer) }
  }

  /// Commits changes, all or none.
  public func commit(_ changes: [StorageChange]) throws(StorageError) {
    try write { writer throws(StorageError) in try writer.commit(changes) }
  }

  /// Checks that a commit would succeed, by one that writes more than most do.
  public func probe() throws(StorageError) {
    let room = (0..<262_144).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) }
    try write { writer throws(StorageError) in
      try writer.commit { _ in
        [
          PostgreSQLStatement("DELETE FROM probes"),
          PostgreSQLStatement(
            "INSERT INTO probes (id, body) VALUES (1, $1::bytea)",
            .bytes(room)
          ),
          PostgreSQLStatement("DELETE FROM probes"),
        ]
      }
    }
  }

  /// Returns true: a database does not tell how much room it has.
  public func hasRoom(for bytes: Int) -> Bool { true }

  /// Always false: a database does not tell how much room it has.
  public var isShortOfRoom: Bool { false }

  /// Removes some data that nothing refers to any more.
  public func sweep(limit: Int) throws(StorageError) -> Bool {
    try write { writer throws(StorageError) in
      var hasSwept = false
      try writer.commit { connection throws(StorageError) in
        let statements = try PostgreSQLGarbage.sweep(limit: limit, connection)
        hasSwept = !statements.isEmpty
        return statements
      }
      return hasSwept
    }
  }

  /// Notes that changes were lost whose revisions may have been shown.
  public func recordLoss(entry number: Int, revision: Int) {
    guard let opened else { return }
    let highest = opened.generations.bound(entry: number, revision: revision)
    try? write { writer in writer.record(lost: highest) }
  }

  /// Returns the generations of what is stored.
  public func generations() throws(StorageError) -> Generations {
    if let opened { return opened.generations }
    return try readers.read { reader throws(StorageError) in try reader.generations() }
  }

  /// Returns why a generation began when this was opened; nil if none did.
  public var generationCause: GenerationCause? { opened?.cause }

  /// Runs a closure whose reads all see the same state, whatever is written meanwhile.
  public func reading(_ body: () -> Void) throws(StorageError) { try readers.reading(body) }
}
