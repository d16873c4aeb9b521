internal import TreeDomain

/// The tables of the service in a database: those of the cluster, and those of each slot.
enum PostgreSQLSchema {
  /// The schema of the tables that all instances share.
  static let base = "tree_service"
  /// The format this program writes, and the newest that it reads.
  static let format = 2
  /// The largest number of slots.
  static let maxSlots = 64

  /// Returns the schema of a slot.
  static func name(ofSlot number: Int) -> String {
    "\(base)_\(number < 10 ? "0" : "")\(number)"
  }

  /// Makes the tables, or finds those of this format.
  ///
  /// - Parameters:
  ///   - slots: The number of slots of new tables.
  ///   - connection: A connection in the base schema.
  /// - Returns: The number of slots.
  /// - Throws: ``StorageError``; nothing is changed if they are of a newer format.
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
        // Another instance may have made them at the same time.
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
    if try storedFormat(connection) == 1 {
      // The tables of the first format become those of the only slot.
      try PostgreSQLTables.checkUnused(connection)
      statements = ["BEGIN"] + PostgreSQLTables.renaming
      statements += PostgreSQLTables.ofCluster(slots: 1)
    } else {
      for number in 0..<slots {
        let name = name(ofSlot: number)
        statements += ["CREATE SCHEMA \(name)", "SET LOCAL search_path = \(name)"]
        statements += PostgreSQLTables.ofSlot
      }
    }
    statements.append("COMMIT")
    try connection.run(statements.joined(separator: ";\n"))
  }

  /// Returns the number of slots; nil if there are no tables of this format.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if they are of a newer format.
  static func slotCount(_ connection: PostgreSQLConnection) throws(StorageError) -> Int? {
    guard let stored = try storedFormat(connection), stored != 1 else { return nil }
    guard stored <= format else {
      throw .failed(
        """
        it has format \(stored), and this program reads up to \(format); use the newer program \
        that wrote it
        """
      )
    }
    let slots = try connection.query("SELECT count(*) FROM slots").integer ?? 0
    guard stored == format, 1...maxSlots ~= slots else {
      throw .damaged("the tables `meta` and `slots` do not tell the format of the tables")
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
