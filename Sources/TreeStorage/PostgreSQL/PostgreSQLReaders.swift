internal import Glibc
internal import Synchronization
internal import TreeDomain

/// A connection that only reads, if it is made.
struct PostgreSQLReader: ~Copyable {
  fileprivate var connection: PostgreSQLConnection?

  /// Runs one statement.
  ///
  /// - Returns: Its rows.
  func query(_ sql: String, _ values: PostgreSQLValue...) throws(StorageError) -> PostgreSQLResult {
    guard let connection else { throw .failed("the connection of a moment was lost") }
    return try connection.query(PostgreSQLStatement(sql, values: values))
  }

  /// Returns true if there are tables of this format.
  func hasTables() throws(StorageError) -> Bool {
    guard let connection else { return false }
    return try PostgreSQLSchema.isThere(connection)
  }

  /// Returns the generations of what is stored.
  func generations() throws(StorageError) -> Generations {
    guard let connection else { return Generations() }
    return Generations(try PostgreSQLGeneration.all(connection))
  }

  /// Connects, unless there is a connection that works.
  fileprivate mutating func connect(_ address: PostgreSQLAddress) throws(StorageError) {
    if connection?.look() == true { return }
    connection = nil
    connection = try PostgreSQLConnection(address)
  }

  /// Connects, and begins to read as of one moment: that of the first look.
  fileprivate mutating func begin(_ address: PostgreSQLAddress) throws(StorageError) {
    let new = try PostgreSQLConnection(address)
    try new.run("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
    try new.query("SELECT value FROM meta WHERE key = 'format'")
    connection = new
  }

  /// True if there is no connection that works.
  fileprivate var isLost: Bool { connection?.isUsable != true }
}

/// A few connections for reads, each made when it is first needed.
final class PostgreSQLReaders: Sendable {
  private final class Slot: Sendable {
    let reader = Mutex(PostgreSQLReader())
    /// The number of threads that use it or wait for it.
    let users = Atomic(0)
  }

  private let address: PostgreSQLAddress
  private let slots = (0..<4).map { _ in Slot() }
  /// The connections of threads that read as of one moment.
  private let held = Mutex<[UInt: Slot]>([:])

  init(_ address: PostgreSQLAddress) { self.address = address }

  /// Reads on a connection that nobody else uses meanwhile.
  ///
  /// - Throws: ``StorageError``.
  func read<Value>(
    _ body: (inout PostgreSQLReader) throws(StorageError) -> sending Value
  ) throws(StorageError) -> sending Value {
    if let slot = held.withLock({ $0[pthread_self()] }) {
      return try slot.reader.withLock { reader throws(StorageError) in try body(&reader) }
    }
    let slot = next()
    defer { slot.users.subtract(1, ordering: .relaxed) }
    return try slot.reader.withLock { reader throws(StorageError) in
      do throws(StorageError) {
        try reader.connect(address)
        return try body(&reader)
      } catch {
        // The server may have been started anew. Reading twice changes nothing.
        guard reader.isLost else { throw error }
        try reader.connect(address)
        return try body(&reader)
      }
    }
  }

  /// Returns the connection that the fewest wait for, and counts one more.
  private func next() -> Slot {
    let place = slots.indices.min { left, right in
      slots[left].users.load(ordering: .relaxed) < slots[right].users.load(ordering: .relaxed)
    }
    let slot = slots[place ?? 0]
    slot.users.add(1, ordering: .relaxed)
    return slot
  }

  /// Runs a closure whose reads, on this thread, all see the same state.
  ///
  /// - Throws: ``StorageError`` if no such read can begin.
  func reading(_ body: () -> Void) throws(StorageError) {
    let slot = Slot()
    try slot.reader.withLock { reader throws(StorageError) in
      try reader.begin(address)
    }
    held.withLock { $0[pthread_self()] = slot }
    body()
    held.withLock { _ = $0.removeValue(forKey: pthread_self()) }
  }
}
