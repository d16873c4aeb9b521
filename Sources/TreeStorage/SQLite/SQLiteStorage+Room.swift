internal import Synchronization
package import TreeDomain

// The folder, its free space, and checks that commits would succeed.
extension SQLiteStorage {
  /// Returns true if there is a database or a log in a folder.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if that cannot be determined.
  package static func isThere(in folder: String) throws(StorageError) -> Bool {
    let file = folder + "/" + fileName
    for path in [file, file + logSuffix] where try DataFolder.isThere(path) { return true }
    // A path that exists as a link but has no target.
    guard !DataFolder.isDangling(folder) else {
      throw .failed("the data folder \(folder) is a link that leads nowhere")
    }
    return false
  }

  /// Checks that a commit would succeed, by writing and removing a row of 256 KiB.
  ///
  /// The row is larger than most commits, so that they are unlikely to fail afterwards. A row that
  /// could not be removed is overwritten by the next call, or removed when the file is opened.
  ///
  /// - Throws: ``StorageError`` if a commit would fail.
  package func probe() throws(StorageError) {
    let room = [UInt8](repeating: 0, count: 262_144)
    // Copying the log may free the room that the probe needs.
    writer.withLock { _ = copy?.make(by: &$0) }
    try write { connection throws(StorageError) in try connection.fillProbe(room) }
    try write { connection throws(StorageError) in try connection.removeProbe() }
    removeStalePieces()
  }

  /// The number of bytes that are left for urgent commits.
  private static let urgentBytes = 4 << 20

  /// Returns true if a number of bytes can be written in the background.
  ///
  /// They need up to three times the room: in the log, in the file, and for the old version, which
  /// stays until the new one is complete.
  package func hasRoom(for bytes: Int) -> Bool {
    guard let free = folder?.freeBytes else { return true }
    return bytes < (free - Self.urgentBytes) / 3
  }

  /// True if the disk and the unused pages of the file together have less than `minFreeBytes`.
  ///
  /// The log grows on the disk, so the disk alone must have at least a quarter of that.
  package var isShortOfRoom: Bool {
    guard let free = folder?.freeBytes, free < minFreeBytes else { return false }
    guard free >= minFreeBytes / 4 else { return true }
    return free + writer.withLock { (try? $0.unusedBytes()) ?? 0 } < minFreeBytes
  }

  /// True if the disk has less than `minFreeBytes` left.
  var isDiskNearlyFull: Bool {
    folder?.freeBytes.map { $0 < minFreeBytes } ?? false
  }

  /// The sizes of the files, and the free space of the disk.
  package var sizes: StorageSizes {
    let file = path + "/" + Self.fileName
    return StorageSizes(
      fileBytes: DataFolder.size(ofFile: file) ?? 0,
      logBytes: DataFolder.size(ofFile: file + Self.logSuffix) ?? 0,
      freeBytes: folder?.freeBytes
    )
  }
}

/// The sizes of the files of storage, and the free space of their disk.
package struct StorageSizes: Equatable, Sendable {
  /// The size of the database file in bytes.
  package let fileBytes: Int
  /// The size of its write-ahead log in bytes.
  package let logBytes: Int
  /// The number of bytes that this user may still write to the disk; nil if unknown.
  package let freeBytes: Int?
}

// A row that is written to find out if there is room. Its row number is not used by any part.
extension SQLiteConnection {
  /// Writes the row, or overwrites it.
  mutating func fillProbe(_ bytes: [UInt8]) throws(StorageError) {
    try run("INSERT OR REPLACE INTO parts (place, checksum, body) VALUES (0, 0, ?)", .bytes(bytes))
  }

  /// Removes the row, if it exists.
  mutating func removeProbe() throws(StorageError) { try run("DELETE FROM parts WHERE place = 0") }
}
