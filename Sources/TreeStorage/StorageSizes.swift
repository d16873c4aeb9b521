/// The sizes of the files of storage, and the free space of their disk.
package struct StorageSizes: Equatable, Sendable {
  /// The size of the database file in bytes.
  package let fileBytes: Int
  /// The size of its write-ahead log in bytes.
  package let logBytes: Int
  /// The number of bytes that this user may still write to the disk; nil if unknown.
  package let freeBytes: Int?
}
