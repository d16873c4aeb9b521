internal import TreeDomain

// The database and its log are compared with the last commit that clients were told is kept.
extension SQLiteStorage {
  /// Returns true if a file is a copy of a database that nobody has opened since.
  ///
  /// SQLite copies without the mark of a write-ahead log (sqlite.org/fileformat2.html, 1.3.3). Each
  /// start sets it.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where it cannot be read.
  static func isUnopenedCopy(_ file: String) throws(StorageError) -> Bool {
    var words: [UInt32] = [0]
    guard DataFolder.size(ofFile: file) != nil, try WordFile(file).read(&words, at: 16) else {
      return false
    }
    return UInt32(bigEndian: words[0]) >> 8 & 0xFF == 1
  }

  /// Returns the number of commits that the folder's marker tells of, and its database lacks.
  ///
  /// - Parameters:
  ///   - connection: One to the database and its log.
  ///   - path: The folder.
  ///   - origin: That of the file.
  /// - Returns: The number; 0 where the marker is of another database.
  /// - Throws: ``StorageError`` where the database or the marker cannot be read.
  static func missingCommits(
    _ connection: inout SQLiteConnection,
    in path: String,
    _ origin: FileOrigin?
  ) throws(StorageError) -> Int {
    guard let marker = try GenerationMarker.read(markerPath(in: path)), marker.isOwned else {
      return 0
    }
    // All tables were in the log.
    if try connection.isNew() { return marker.commits }
    guard connection.format >= SQLiteConnection.formatOfGenerations,
      let last = try connection.storedGenerations().last,
      last.token == marker.token, last.origin == origin
    else { return 0 }
    try connection.findNewestBundle()
    return max(0, marker.commits - connection.newestBundle)
  }

  /// Returns the error for a database that lacks commits.
  static func cut(_ missing: Int, of file: String) -> StorageError {
    .damaged(
      """
      the last \(missing) commits are missing, which clients were told are kept: its log \
      \(fileName)\(logSuffix) was cut or removed, or an old copy was put in its place; nothing was \
      touched. Put the whole log back, or restore a backup; or, to go on without these commits, \
      keep a copy of the folder and give them up: \
      sqlite3 \(file) "PRAGMA journal_mode=DELETE"
      """
    )
  }
}
