internal import TreeDomain

// A row by which is found out whether there is room, in a place that no part of a snapshot has.
extension SQLiteConnection {
  /// Fills the row, be it there already or not.
  mutating func fillProbe(_ bytes: [UInt8]) throws(StorageError) {
    try run("INSERT OR REPLACE INTO parts (place, checksum, body) VALUES (0, 0, ?)", .bytes(bytes))
  }

  /// Removes it, if it is there.
  mutating func removeProbe() throws(StorageError) { try run("DELETE FROM parts WHERE place = 0") }
}
