internal import TreeDomain

// A row that is written to find out if there is room. Its row number is not used by any part.
extension SQLiteConnection {
  /// Writes the row, or overwrites it.
  mutating func fillProbe(_ bytes: [UInt8]) throws(StorageError) {
    try run("INSERT OR REPLACE INTO parts (place, checksum, body) VALUES (0, 0, ?)", .bytes(bytes))
  }

  /// Removes the row, if it exists.
  mutating func removeProbe() throws(StorageError) { try run("DELETE FROM parts WHERE place = 0") }
}
