internal import Synchronization
public import TreeDomain

// The room that is left, and whether commits would succeed.
extension SQLiteStorage {
  /// Finds out whether a commit would succeed.
  ///
  /// Writes and takes back more than the next commit is likely to need, so that it is not
  /// tried for nothing. What could not be taken back, for want of room or of the process, is
  /// written over by the next one, or taken back when the file is opened.
  public func probe() throws(StorageError) {
    let room = [UInt8](repeating: 0, count: 262_144)
    // What the log holds may have its place in the file already, and leave the log's to others.
    writer.withLock { _ = copy?.make(by: &$0) }
    try write { connection throws(StorageError) in try connection.fillProbe(room) }
    try write { connection throws(StorageError) in try connection.removeProbe() }
  }

  /// The bytes that are left to urgent commits, at least.
  private static let urgentBytes = 4 << 20

  /// Returns true if bytes that are not urgent can be written: they go to the log, then to
  /// the file, beside what is there until they are whole.
  public func hasRoom(for bytes: Int) -> Bool {
    guard let free = folder?.freeBytes else { return true }
    return bytes < (free - Self.urgentBytes) / 3
  }

  /// Whether the disk, and the pages of the file that are of no use any more, have less room than
  /// is kept; a quarter of it the disk must have alone, as the log grows there.
  public var isShortOfRoom: Bool {
    guard let free = folder?.freeBytes, free < minFreeBytes else { return false }
    guard free >= minFreeBytes / 4 else { return true }
    return free + writer.withLock { (try? $0.unusedBytes()) ?? 0 } < minFreeBytes
  }

  /// True if the disk has less room left than is kept.
  var isDiskNearlyFull: Bool {
    folder?.freeBytes.map { $0 < minFreeBytes } ?? false
  }

  /// The room that it takes, and that is left.
  public var sizes: StorageSizes {
    let file = path + "/" + Self.fileName
    return StorageSizes(
      fileBytes: DataFolder.size(ofFile: file) ?? 0,
      logBytes: DataFolder.size(ofFile: file + Self.logSuffix) ?? 0,
      freeBytes: folder?.freeBytes
    )
  }
}
