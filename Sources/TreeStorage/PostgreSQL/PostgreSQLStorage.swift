internal import Glibc
internal import Synchronization
public import TreeDomain

/// Storage in one database of PostgreSQL, which one instance at a time owns.
///
/// A commit is a transaction, sent in one piece, which waits for the disk and for a synchronous
/// standby. If the connection is lost meanwhile, it is found out what became of it before anything
/// else is said. The owner has a lease, which it extends every second. Another instance takes over
/// when the lease has run out, and then no commit of the former owner is done.
///
/// One connection commits, and a few read. Requires PostgreSQL 14 or later and its client library.
public final class PostgreSQLStorage: TreeStorage {
  let readers: PostgreSQLReaders
  /// Nil if it is only read.
  private let writing: Writing?
  private let ownership: PostgreSQLOwnership?
  /// Nil if it is only read.
  let opened: PostgreSQLOpening.Opened?

  /// The writer, which one thread at a time uses.
  private final class Writing: Sendable {
    let writer: Mutex<PostgreSQLWriter>

    init(_ writer: consuming sending PostgreSQLWriter) { self.writer = Mutex(writer) }
  }

  /// The time for which an instance may be silent before another one takes over, in milliseconds.
  public static let leaseMilliseconds = 5_000

  /// Opens the storage in a database; its tables are made if there are none.
  ///
  /// Waits for the lease of an instance that is silent, a few seconds at most.
  ///
  /// - Parameters:
  ///   - uri: A connection URI (postgresql.org/docs/15/libpq-connect.html, section 34.1.1).
  ///   - leaseMilliseconds: The length of the lease.
  /// - Throws: ``StorageError`` if another instance owns the database, the client library is
  ///   missing, the database cannot be used, or it is of a newer format.
  public init(
    uri: String,
    leaseMilliseconds: Int = PostgreSQLStorage.leaseMilliseconds
  ) throws(StorageError) {
    let address = try PostgreSQLAddress(uri)
    let lease = PostgreSQLLease(milliseconds: leaseMilliseconds)
    let opened = try PostgreSQLOpening(address, lease).open()
    self.opened = opened
    writing = Writing(PostgreSQLWriter(address, opened))
    ownership = opened.ownership
    readers = PostgreSQLReaders(address)
    try opened.ownership.start(address, instance: opened.instance)
  }

  /// Opens what is stored in a database to be read only, whoever owns it.
  ///
  /// - Throws: ``StorageError`` if nothing can be read.
  public init(reading uri: String) throws(StorageError) {
    readers = PostgreSQLReaders(try PostgreSQLAddress(uri))
    writing = nil
    ownership = nil
    opened = nil
    guard try readers.read({ reader throws(StorageError) in try reader.hasTables() }) else {
      throw .failed("nothing is stored in it")
    }
  }

  deinit { close() }

  /// Returns true if anything is stored in a database.
  ///
  /// - Throws: ``StorageError`` if that cannot be seen.
  public static func isThere(in uri: String) throws(StorageError) -> Bool {
    try PostgreSQLReaders(try PostgreSQLAddress(uri)).read { reader throws(StorageError) in
      try reader.hasTables()
    }
  }

  /// Gives the database up, so that another instance may have it at once.
  ///
  /// Nothing can be committed afterwards.
  public func close() {
    guard let ownership, !ownership.isEnding else { return }
    ownership.stop()
    writing?.writer.withLock { $0.release() }
  }

  /// True after another instance has taken over: this one must not answer any more.
  public var isLost: Bool { ownership?.isLost ?? false }

  /// True as long as surely no other instance owns the database.
  ///
  /// It is false after some seconds without an answer of the database.
  public var isOwner: Bool { ownership?.isValid ?? false }

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
  public func noteLoss(entry number: Int, revision: Int) {
    guard let opened else { return }
    let highest = opened.generations.bound(entry: number, revision: revision)
    try? write { writer in writer.note(lost: highest) }
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
