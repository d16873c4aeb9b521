internal import Glibc
internal import Synchronization
package import TreeDomain

/// A connection that only reads, made when it is first needed.
struct PostgreSQLReader: ~Copyable {
  fileprivate var connection: PostgreSQLConnection?

  /// Runs one statement.
  ///
  /// - Returns: Its rows.
  func query(_ sql: String, _ values: PostgreSQLValue...) throws(StorageError) -> PostgreSQLResult {
    guard let connection else { throw .failed("the connection of a moment was lost") }
    return try connection.query(PostgreSQLStatement(sql, values: values))
  }

  /// Returns the number of slots; nil if there are no tables.
  func slotCount() throws(StorageError) -> Int? {
    guard let connection else { return nil }
    return try PostgreSQLSchema.slotCount(connection)
  }

  /// Returns the stored generations.
  func generations() throws(StorageError) -> Generations {
    guard let connection else { return Generations() }
    return Generations(try PostgreSQLGeneration.all(connection))
  }

  /// Enters a schema, and connects first if there is no usable connection.
  fileprivate mutating func connect(
    _ address: PostgreSQLAddress,
    _ schema: String
  ) throws(StorageError) {
    if let connection, connection.look() { return try connection.enter(schema) }
    connection = nil
    connection = try PostgreSQLConnection(address, schema: schema)
  }

  /// Connects, and begins a transaction whose reads all see the state at its first query.
  fileprivate mutating func begin(
    _ address: PostgreSQLAddress,
    _ schema: String
  ) throws(StorageError) {
    let new = try PostgreSQLConnection(address, schema: schema)
    try new.run("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
    try new.query("SELECT value FROM meta WHERE key = 'last_tree'")
    connection = new
  }

  /// True if there is no usable connection.
  fileprivate var isLost: Bool { connection?.isUsable != true }
}

/// The readers of one schema.
struct PostgreSQLSchemaReaders: Sendable {
  let schema: String
  let pool: PostgreSQLReaders

  /// Reads on a connection that no other thread uses meanwhile.
  ///
  /// - Throws: ``StorageError``.
  func read<Value>(
    _ body: (inout PostgreSQLReader) throws(StorageError) -> sending Value
  ) throws(StorageError) -> sending Value {
    try pool.read(in: schema, body)
  }

  /// Runs a closure whose reads, on this thread, all see the same state.
  ///
  /// - Throws: ``StorageError`` if no such read can begin.
  func reading(_ body: () -> Void) throws(StorageError) { try pool.reading(in: schema, body) }
}

/// A few connections for reads of all slots, each made when it is first needed.
final class PostgreSQLReaders: Sendable {
  private final class Place: Sendable {
    let reader = Mutex(PostgreSQLReader())
    /// The number of threads that use it or wait for it.
    let users = Atomic(0)
  }

  private let address: PostgreSQLAddress
  private let places = (0..<4).map { _ in Place() }
  /// The connections of the threads that are in ``reading(in:_:)``.
  private let held = Mutex<[UInt: Place]>([:])

  init(_ address: PostgreSQLAddress) { self.address = address }

  /// Reads on a connection that no other thread uses meanwhile.
  ///
  /// - Throws: ``StorageError``.
  func read<Value>(
    in schema: String = PostgreSQLSchema.base,
    _ body: (inout PostgreSQLReader) throws(StorageError) -> sending Value
  ) throws(StorageError) -> sending Value {
    if let place = held.withLock({ $0[pthread_self()] }) {
      return try place.reader.withLock { reader throws(StorageError) in try body(&reader) }
    }
    let place = next()
    defer { place.users.subtract(1, ordering: .relaxed) }
    return try place.reader.withLock { reader throws(StorageError) in
      do throws(StorageError) {
        try reader.connect(address, schema)
        return try body(&reader)
      } catch {
        // The server may have restarted. Reading twice changes nothing.
        guard reader.isLost else { throw error }
        try reader.connect(address, schema)
        return try body(&reader)
      }
    }
  }

  /// Returns the connection that the fewest threads use or wait for, and counts one more for it.
  private func next() -> Place {
    let index = places.indices.min { left, right in
      places[left].users.load(ordering: .relaxed) < places[right].users.load(ordering: .relaxed)
    }
    let place = places[index ?? 0]
    place.users.add(1, ordering: .relaxed)
    return place
  }

  /// Runs a closure whose reads of a schema, on this thread, all see the same state.
  ///
  /// - Throws: ``StorageError`` if no such read can begin.
  func reading(in schema: String, _ body: () -> Void) throws(StorageError) {
    let place = Place()
    try place.reader.withLock { reader throws(StorageError) in
      try reader.begin(address, schema)
    }
    held.withLock { $0[pthread_self()] = place }
    body()
    held.withLock { _ = $0.removeValue(forKey: pthread_self()) }
  }
}

extension PostgreSQLCluster {
  /// Returns the live session of some slots that a secret opens, by one query for all slots.
  ///
  /// - Throws: ``StorageError``.
  package func session(
    openedBy digest: SecretDigest,
    in slots: Set<Int>
  ) throws(StorageError) -> StoredSession? {
    let parts = (0..<self.slots.count).map { PostgreSQLRow.sessionQuery(inSlot: $0) }
    return try pool.read { reader throws(StorageError) in
      let found = try reader.query(
        parts.joined(separator: " UNION ALL "),
        .bytes(Array(digest.bytes.prefix(16)))
      )
      for row in found.rows where slots.contains(row.integer(PostgreSQLRow.slotColumn)) {
        let session = try row.session()
        if session.digest == digest { return session }
      }
      return nil
    }
  }

  /// Opens all slots of a database for reading only, without owning them.
  ///
  /// - Returns: The storage of each slot; nil if the database has no tables of the service.
  /// - Throws: ``StorageError`` if the database cannot be read.
  package static func reading(
    _ uri: String
  ) throws(StorageError) -> [PostgreSQLStorage]? {
    let pool = PostgreSQLReaders(try PostgreSQLAddress(uri))
    let found = try pool.read { reader throws(StorageError) in try reader.slotCount() }
    guard let found else { return nil }
    return (0..<found).map { PostgreSQLStorage(reading: $0, pool) }
  }
}
