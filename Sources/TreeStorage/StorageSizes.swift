/// The room that storage takes, and that is left for it.
public struct StorageSizes: Equatable, Sendable {
  /// Bytes of the database file.
  public let fileBytes: Int
  /// Bytes of its write-ahead log.
  public let logBytes: Int
  /// Bytes that the disk has left for this user; nil where it does not say.
  public let freeBytes: Int?
}
