internal import HTTPServer
internal import TreeDomain
internal import TreeStorage

// The storage of trees and sessions.
extension Configuration {
  /// True if trees and sessions are in a database.
  var isDatabase: Bool { PostgreSQLStorage.isAddress(storage) }

  /// The storage without the password of a database.
  var shownStorage: String { PostgreSQLStorage.masked(storage) }

  /// The place of what is stored, for messages: a file, or a database without its password.
  var storagePlace: String {
    isDatabase ? shownStorage : "\(data)/\(SQLiteStorage.fileName)"
  }

  /// Opens the storage in a file; nil if there is none.
  func openStorage(_ workers: Scheduler) throws(StorageError) -> SQLiteStorage? {
    guard storage == "sqlite" else { return nil }
    return try SQLiteStorage(
      folder: data,
      minFreeBytes: minFreeBytes,
      assign: { workers.assign($0) }
    )
  }
}
