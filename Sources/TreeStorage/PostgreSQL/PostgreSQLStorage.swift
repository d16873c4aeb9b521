internal import Glibc
internal import Synchronization
package import TreeDomain

/// Storage in one slot of a database of PostgreSQL, which one instance at a time owns.
///
/// A commit is a transaction, sent in one piece, which waits for the disk and for a synchronous
/// standby. If the connection is lost meanwhile, its outcome is determined before the commit
/// returns. Another instance acquires the slot when the owner has released it or the owner's lease
/// is over. No commit of the former owner succeeds after that.
///
/// A single connection commits, and the readers serve all slots. ``PostgreSQLCluster`` opens the
/// storage.
package final class PostgreSQLStorage: TreeStorage {
  let readers: PostgreSQLSchemaReaders
  /// The number of the slot.
  package let slot: Int
  /// The writer; nil if the slot is opened for reading only.
  private let writing: Writing?
  /// The facts from opening the slot; nil if it is opened for reading only.
  let opened: PostgreSQLOpening.Opened?

  /// The writer, which one thread at a time uses.
  private final class Writing: Sendable {
    let writer: Mutex<PostgreSQLWriter>

    init(_ writer: consuming sending PostgreSQLWriter) { self.writer = Mutex(writer) }
  }

  /// Creates the storage of a slot that was acquired on a connection.
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

  /// Creates the storage of a slot for reading only, without owning it.
  init(reading slot: Int, _ pool: PostgreSQLReaders) {
    self.slot = slot
    writing = nil
    opened = nil
    readers = PostgreSQLSchemaReaders(schema: PostgreSQLSchema.name(ofSlot: slot), pool: pool)
  }

  deinit { close() }

  /// Releases the slot, so that another instance can acquire it at once.
  ///
  /// Nothing can be committed afterwards.
  package func close() {
    guard let hold = opened?.hold, hold.prepareEnd() else { return }
    // The last commit may wait for a database that cannot be reached.
    if !hold.isValid { hold.interrupt() }
    // A lost slot belongs to another instance already.
    if !hold.isLost { writing?.writer.withLock { $0.release() } }
    // Later commits are refused.
    hold.lose()
  }

  /// True once another instance has acquired the slot, or after ``close()``.
  ///
  /// Nothing may be answered from memory then.
  package var isLost: Bool { opened?.hold.isLost ?? false }

  /// True while no other instance can own the slot.
  ///
  /// It is false after some seconds without an answer of the database.
  package var isOwner: Bool { opened?.hold.isValid ?? false }

  /// Runs a closure on the writer, which one thread at a time uses.
  private func write<Value>(
    _ body: (inout PostgreSQLWriter) throws(StorageError) -> sending Value
  ) throws(StorageError) -> sending Value {
    guard let writing else { throw .failed("it was opened to be read only") }
    return try writing.writer.withLock { writer throws(StorageError) in try body(&writer) }
  }

  /// Commits changes, all or none.
  package func commit(_ changes: [StorageChange]) throws(StorageError) {
    try write { writer throws(StorageError) in try writer.commit(changes) }
  }

  /// Checks that a commit would succeed, by a commit that writes more than most.
  package func probe() throws(StorageError) {
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

  /// Always returns true, because the free space of a database is unknown.
  package func hasRoom(for bytes: Int) -> Bool { true }

  /// Always false, because the free space of a database is unknown.
  package var isShortOfRoom: Bool { false }

  /// Removes some unused data; returns false if there was none.
  package func sweep(limit: Int) throws(StorageError) -> Bool {
    // An idle service would otherwise commit once in five seconds and slot.
    let hasGarbage = try readers.read { reader throws(StorageError) in
      try reader.query("SELECT 1 FROM garbage LIMIT 1").rowCount > 0
    }
    guard hasGarbage else { return false }
    return try write { writer throws(StorageError) in
      var hasSwept = false
      try writer.commit { connection throws(StorageError) in
        let statements = try PostgreSQLGarbage.sweep(limit: limit, connection)
        hasSwept = !statements.isEmpty
        return statements
      }
      return hasSwept
    }
  }

  /// Records that changes were lost whose revisions clients may have seen.
  package func recordLoss(entry number: Int, revision: Int) {
    guard let opened else { return }
    let highest = opened.generations.bound(entry: number, revision: revision)
    try? write { writer in writer.record(lost: highest) }
  }

  /// Returns the stored generations.
  package func generations() throws(StorageError) -> Generations {
    if let opened { return opened.generations }
    return try readers.read { reader throws(StorageError) in try reader.generations() }
  }

  /// The reason why a generation began when the slot was opened; nil if none began.
  package var generationCause: GenerationCause? { opened?.cause }

  /// Runs a closure whose reads all see the same state, even while others write.
  package func reading(_ body: () -> Void) throws(StorageError) { try readers.reading(body) }
}
