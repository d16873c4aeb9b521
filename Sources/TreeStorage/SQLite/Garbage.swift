internal import TreeDomain

/// The kind of rows in a range of garbage.
///
/// Unused rows are recorded at once and removed in small steps, so that no commit has to wait long
/// (``GarbageSweep``).
enum Garbage: Int {
  /// Entries, by row number.
  case entries = 1
  /// Parts of snapshots, by row number.
  case parts = 2
  /// The unexpired sessions of a tree, and then the tree itself, by its number.
  ///
  /// Expired sessions stay, so that their expiry is remembered.
  case sessions = 3
  /// Pieces of one entry whose row is not written, by the entry's row number.
  case pieces = 4

  /// Records that the rows of a range are unused.
  func discard(
    _ first: Int,
    _ last: Int,
    _ connection: inout SQLiteConnection
  ) throws(StorageError) {
    try connection.run(
      "INSERT INTO garbage (kind, first, last) VALUES (?, ?, ?)",
      .integer(rawValue),
      .integer(first),
      .integer(last)
    )
  }

  /// A query for the rows of a range, in order: row number and approximate size in bytes.
  ///
  /// For sessions it gives the number of their tree, and 0.
  var listing: String {
    guard let table = tableOfPlaces else {
      return "SELECT tree, 0 FROM sessions WHERE tree BETWEEN ? AND ? AND is_expired = 0"
    }
    return "SELECT place, length(body) FROM \(table) WHERE place BETWEEN ? AND ? ORDER BY 1"
  }

  /// A statement that removes the first rows of a range, up to a number.
  var removal: String {
    guard let table = tableOfPlaces else {
      return """
        DELETE FROM sessions WHERE id IN
        (SELECT id FROM sessions WHERE tree BETWEEN ? AND ? AND is_expired = 0 LIMIT ?)
        """
    }
    return """
      DELETE FROM \(table) WHERE place IN
      (SELECT place FROM \(table) WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?)
      """
  }

  /// The table of the rows, if it has row numbers named `place`.
  private var tableOfPlaces: String? {
    switch self {
    case .entries: "entries"
    case .parts: "parts"
    case .pieces: "pieces"
    case .sessions: nil
    }
  }
}
