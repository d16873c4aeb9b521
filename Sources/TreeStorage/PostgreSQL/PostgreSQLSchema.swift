internal import TreeDomain

/// The tables of the service in a database: those of the cluster, and those of each slot.
enum PostgreSQLSchema {
  /// The schema of the tables that all instances share.
  static let base = "tree_service"
  /// The format of the tables.
  static let format = 1
  /// The largest number of slots.
  static let maxSlots = 64

  /// Returns the schema of a slot.
  static func name(ofSlot number: Int) -> String {
    "\(base)_\(number < 10 ? "0" : "")\(number)"
  }

  /// Creates the tables, or checks that existing ones have this format.
  ///
  /// - Parameters:
  ///   - slots: The number of slots of new tables.
  ///   - connection: A connection in the base schema.
  /// - Returns: The number of slots.
  /// - Throws: ``StorageError``. Nothing is changed if the tables have another format.
  static func prepare(
    slots: Int,
    _ connection: PostgreSQLConnection
  ) throws(StorageError) -> Int {
    for isLast in [false, true] {
      if let found = try slotCount(connection) { return found }
      do throws(StorageError) {
        try make(slots, connection)
      } catch {
        try? connection.run("ROLLBACK")
        // Another instance may have created them at the same time.
        if isLast { throw error }
      }
    }
    return slots
  }

  private static func make(
    _ slots: Int,
    _ connection: PostgreSQLConnection
  ) throws(StorageError) {
    var statements = ["BEGIN"] + PostgreSQLTables.ofCluster(slots: slots)
    for number in 0..<slots {
      let name = name(ofSlot: number)
      statements += ["CREATE SCHEMA \(name)", "SET LOCAL search_path = \(name)"]
      statements += PostgreSQLTables.ofSlot
    }
    statements.append("COMMIT")
    try connection.run(statements.joined(separator: ";\n"))
  }

  /// Returns the number of slots; nil if there are no tables.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if they have another format.
  static func slotCount(_ connection: PostgreSQLConnection) throws(StorageError) -> Int? {
    guard let stored = try storedFormat(connection) else { return nil }
    guard stored == format else {
      throw .failed(
        """
        it has format \(stored), and this program reads format \(format); use the program that \
        wrote it
        """
      )
    }
    let slots = try connection.query("SELECT count(*) FROM slots").integer ?? 0
    guard 1...maxSlots ~= slots else {
      throw .damaged("the table `slots` does not tell the number of slots")
    }
    return slots
  }

  private static func storedFormat(
    _ connection: PostgreSQLConnection
  ) throws(StorageError) -> Int? {
    let found = try connection.query("SELECT to_regclass('\(base).meta') IS NOT NULL")
    guard found.rows.first?.boolean(0) == true else { return nil }
    return try connection.query("SELECT value FROM meta WHERE key = 'format'").integer ?? 0
  }
}
