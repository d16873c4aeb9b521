public import TreeDomain

// What is looked at before a file is opened.
extension SQLiteStorage {
  /// The bytes at the start of a database that say what it is (sqlite.org/fileformat2.html, 1.3).
  private static let headerBytes = 100

  /// Looks whether it is a file of ours, and all of it, before anybody may write to it.
  ///
  /// - Throws: ``StorageError`` with what is wrong.
  static func check(_ file: String) throws(StorageError) {
    try checkLength(file)
    try checkLog(of: file, isShared: false)
    guard DataFolder.size(ofFile: file) != nil else { return }
    // What was left in the middle of being made is undone by who may write, before it can be read.
    var connection = try SQLiteConnection(file, isInterrupted(file) ? .writing : .reading)
    guard try !connection.isNew() else { return }
    try connection.checkNames()
  }

  /// Looks whether there is a file wherever there is a log, before SQLite does.
  ///
  /// Of less than a header SQLite thinks nothing, and throws away the log that goes with it, in
  /// which all may be that was committed.
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

  /// Whether a process ended in the middle of making the file: from then on there is a log.
  private static func isInterrupted(_ file: String) -> Bool {
    (DataFolder.size(ofFile: file + "-journal") ?? 0) > 0
  }

  /// Whether anything is stored in a folder, or was.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where that cannot be seen.
  public static func isThere(in folder: String) throws(StorageError) -> Bool {
    let file = folder + "/" + fileName
    for path in [file, file + logSuffix] where try DataFolder.isThere(path) { return true }
    // Only what leads nowhere is there in one way and not in the other.
    guard !DataFolder.isDangling(folder) else {
      throw .failed("the data folder \(folder) is a link that leads nowhere")
    }
    return false
  }

  /// How a file can be read that others may write to.
  ///
  /// Even a reader makes the file through which readers and writers agree. Where it cannot, for
  /// want of rights or of room, a file that has no log is read as it is.
  ///
  /// - Throws: ``StorageError`` where it cannot.
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
      // Nothing is written to the file but from the log.
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
