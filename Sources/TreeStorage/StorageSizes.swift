/// The room that storage takes, and that is left for it.
public struct StorageSizes: Equatable, Sendable {
  /// Bytes of the database file.
  public let fileBytes: Int
  /// Bytes of its write-ahead log.
  public let logBytes: Int
  /// Bytes that the disk has left for this user; nil where it does not say.
  public let freeBytes: Int?
}

extension SQLiteStorage {
  /// The room that it takes, and that is left.
  public var sizes: StorageSizes {
    StorageSizes(
      fileBytes: DataFolder.size(ofFile: path) ?? 0,
      logBytes: DataFolder.size(ofFile: path + Self.logSuffix) ?? 0,
      freeBytes: folder?.freeBytes
    )
  }

  /// Copies the log into the file beside those who write, so that ``close()`` has little to copy.
  public func copyBeforeClosing() {
    guard let copy, (try? copy.check()) != nil, copy.begin() else { return }
    copy.make()
  }

  /// The bytes that are left to urgent commits, at least.
  private static let urgentBytes = 4 << 20

  /// Returns true if so many bytes that are not urgent can be written.
  ///
  /// They are written to the log, then to the file, beside what is there until they are whole.
  public func hasRoom(for bytes: Int) -> Bool {
    guard let free = folder?.freeBytes else { return true }
    return bytes < (free - Self.urgentBytes) / 3
  }
}
