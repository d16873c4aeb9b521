/// The sizes of the files of storage, and the free space of their disk.
public struct StorageSizes: Equatable, Sendable {
  /// The size of the database file in bytes.
  public let fileBytes: Int
  /// The size of its write-ahead log in bytes.
  public let logBytes: Int
  /// The number of bytes that this user may still write to the disk; nil if unknown.
  public let freeBytes: Int?
}
