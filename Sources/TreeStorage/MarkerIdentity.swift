internal import TreeDomain

/// The identity of the file of a ``GenerationMarker``.
struct MarkerIdentity: Equatable {
  /// The random name in the file; 0 if it has none.
  ///
  /// It distinguishes files that have the same number on a file system without birth times.
  let nonce: Int
  /// The origin of the file.
  let origin: FileOrigin

  /// Returns the checksum of a row of the table `markers`.
  func checksum(inSlot slot: Int) -> Int {
    Checksum([slot, nonce, origin.number, origin.seconds, origin.nanoseconds]).value
  }
}

/// The marker that is in a folder.
struct MarkerInPlace {
  /// The identity of the file; nil if there is none.
  let identity: MarkerIdentity?
  /// The content; nil if there is no file, or if it is damaged.
  let contents: GenerationMarker.Contents?
  /// The highest block of revisions that was used in the folder; 0 if none is known.
  let block: UInt64

  /// Reads the marker at a path.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if the file cannot be read.
  init(_ path: String, _ origin: (String) -> FileOrigin?) throws(StorageError) {
    // A file that is renamed over this one in between has the same or more commits.
    let found = try DataFolder.isThere(path) ? origin(path) : nil
    let contents = try GenerationMarker.read(path)
    self.contents = contents
    block = max(contents?.block ?? 0, BlockName.highest(beside: path))
    identity = found.map { MarkerIdentity(nonce: contents?.nonce ?? 0, origin: $0) }
  }

  /// True if nothing was ever stored in the folder, as far as the marker shows.
  var isOfNewFolder: Bool { contents == nil && block == 0 }

  /// Compares the marker with those of a database.
  ///
  /// A database stores a marker before the marker gets its random name. So if it has stored none,
  /// it accepts a missing marker, or one without a random name.
  ///
  /// - Parameter stored: The markers in the database; empty if it has stored none.
  /// - Returns: True if the database may have this marker.
  func isKnown(to stored: [MarkerIdentity]) -> Bool {
    if stored.isEmpty { return contents?.nonce ?? 0 == 0 }
    return stored.contains { $0 == identity }
  }
}

// The markers of the database: the one that is replaced at a start or a stop, and its successor.
extension MarkerIdentity {
  /// Returns the markers that the folder of a database may have.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` if a row is damaged.
  static func all(
    in connection: inout SQLiteConnection
  ) throws(StorageError) -> [MarkerIdentity] {
    try connection.rows(
      "SELECT slot, nonce, file, made_seconds, made_nanoseconds, checksum FROM markers"
    ) { row throws(StorageError) in
      let origin = FileOrigin(
        number: row.integer(2),
        seconds: row.integer(3),
        nanoseconds: row.integer(4)
      )
      let marker = MarkerIdentity(nonce: row.integer(1), origin: origin)
      guard marker.checksum(inSlot: row.integer(0)) == row.integer(5) else {
        throw .damaged("a row of the table `markers` is not as it was written")
      }
      return marker
    }
  }

  /// Replaces the markers that the folder may have, in one statement.
  static func store(
    _ former: MarkerIdentity,
    or next: MarkerIdentity,
    in connection: inout SQLiteConnection
  ) throws(StorageError) {
    let values = [former, next].enumerated().flatMap { slot, marker in
      let origin = marker.origin
      let numbers = [slot, marker.nonce, origin.number, origin.seconds, origin.nanoseconds]
      return (numbers + [marker.checksum(inSlot: slot)]).map(SQLiteValue.integer)
    }
    try connection.visit(
      "INSERT OR REPLACE INTO markers VALUES (?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?)",
      values
    ) { _ in true }
  }

  /// Removes the markers, so that the next start accepts a folder without one.
  static func forgetAll(in connection: inout SQLiteConnection) throws(StorageError) {
    try connection.run("DELETE FROM markers")
  }
}

/// The number of a file on its device, and its birth time.
///
/// It distinguishes a file from its copies.
///
/// Both stay the same when the file is renamed, when its folder is moved within the file system,
/// and across restarts. A copy differs in at least one: a new file may reuse the number of a
/// removed one, but not its birth time. The device is left out, because its number may change when
/// the machine restarts or in another container.
///
/// On a file system without birth times, only the number counts. If a file system assigns new
/// numbers at each mount, the file looks like a copy after each mount.
struct FileOrigin: Equatable {
  let number: Int
  /// The birth time, in seconds since 1970 and nanoseconds; 0 if it is not known.
  let seconds: Int
  let nanoseconds: Int
}
