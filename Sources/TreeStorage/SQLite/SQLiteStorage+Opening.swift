public import TreeDomain

// Checks before a file is opened.
extension SQLiteStorage {
  /// The length of a database header in bytes (sqlite.org/fileformat2.html, 1.3).
  private static let headerBytes = 100

  /// Checks that a file is a complete database of ours, before anything may write to it.
  ///
  /// - Throws: ``StorageError`` with what is wrong.
  static func check(_ file: String) throws(StorageError) {
    try checkLength(file)
    try checkLog(of: file, isShared: false)
    guard DataFolder.size(ofFile: file) != nil else { return }
    // Only a writing connection can roll back an interrupted creation of the file.
    var connection = try SQLiteConnection(file, isInterrupted(file) ? .writing : .reading)
    guard try !connection.isNew() else { return }
    try connection.checkNames()
  }

  /// Checks that a log is not left without its database.
  ///
  /// SQLite treats a database without a full header as empty, and deletes its log. That log may
  /// contain everything that was committed.
  private static func checkLength(_ file: String) throws(StorageError) {
    for name in [file, file + logSuffix] { try DataFolder.checkIsFile(name) }
    let size = DataFolder.size(ofFile: file)
    let hasLog = hasLog(file)
    switch size ?? 0 {
    case headerBytes...: return
    case 0 where !hasLog: return
    case let left:
      let rest = size == nil ? "it is missing" : "\(left) bytes are all that is left of it"
      throw .damaged(hasLog ? "\(rest), beside its log \(fileName)\(logSuffix)" : rest)
    }
  }

  /// Returns true if a process ended while it created the file.
  ///
  /// After the creation there is a log instead of a journal.
  private static func isInterrupted(_ file: String) -> Bool {
    (DataFolder.size(ofFile: file + "-journal") ?? 0) > 0
  }

  /// Returns true if there is a database or a log in a folder.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if that cannot be determined.
  public static func isThere(in folder: String) throws(StorageError) -> Bool {
    let file = folder + "/" + fileName
    for path in [file, file + logSuffix] where try DataFolder.isThere(path) { return true }
    // A path that exists as a link but has no target.
    guard !DataFolder.isDangling(folder) else {
      throw .failed("the data folder \(folder) is a link that leads nowhere")
    }
    return false
  }

  /// Returns the access for reading a file that others may write to.
  ///
  /// Even a reader creates the shared-memory file beside it, which needs permissions and space. If
  /// it cannot, and there is no log, the file is read without locks.
  ///
  /// - Throws: ``StorageError`` if the file cannot be read.
  static func readAccess(to file: String) throws(StorageError) -> SQLiteConnection.Access {
    try checkLength(file)
    try checkLog(of: file, isShared: true)
    guard !isInterrupted(file) else {
      throw .failed("it was left in the middle of being made, which the next start undoes")
    }
    do throws(StorageError) {
      var connection = try SQLiteConnection(file, .reading)
      _ = try connection.pragma("application_id")
      return .reading
    } catch {
      if case .damaged = error { throw error }
      // Without a log, nothing is being written to the file.
      guard hasLog(file) else { return .readingImmutable }
      throw .failed(
        """
        its log \(fileName)\(logSuffix) cannot be read where nothing can be written beside it \
        (\(error.reason)); check a copy of the folder
        """
      )
    }
  }
}
