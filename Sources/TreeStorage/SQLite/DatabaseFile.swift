internal import TreeDomain

/// A database file, with its log, before it is opened.
struct DatabaseFile {
  /// The path of the file.
  let path: String
  /// The path of its log.
  var log: String { path + SQLiteStorage.logSuffix }

  /// The length of a database header in bytes (sqlite.org/fileformat2.html, 1.3).
  private static let headerBytes = 100

  init(_ path: String) { self.path = path }

  /// Checks that it is a complete database of ours, before anything may write to it.
  ///
  /// - Throws: ``StorageError`` with what is wrong.
  func check() throws(StorageError) {
    try checkLength()
    try checkLog(isShared: false)
    guard DataFolder.size(ofFile: path) != nil else { return }
    // Only a writing connection can roll back an interrupted creation of the file.
    var connection = try SQLiteConnection(path, isInterrupted ? .writing : .reading)
    guard try !SQLiteSchema.isNew(&connection) else { return }
    try SQLiteSchema.checkNames(&connection)
  }

  /// Checks that a log is not left without its database.
  ///
  /// SQLite treats a database without a full header as empty, and deletes its log. That log may
  /// contain everything that was committed.
  private func checkLength() throws(StorageError) {
    for name in [path, log] { try DataFolder.checkIsFile(name) }
    let size = DataFolder.size(ofFile: path)
    let hasLog = hasLog
    switch size ?? 0 {
    case Self.headerBytes...: return
    case 0 where !hasLog: return
    case let left:
      let rest = size == nil ? "it is missing" : "\(left) bytes are all that is left of it"
      throw .damaged(hasLog ? "\(rest), beside its log \(Self.logName)" : rest)
    }
  }

  /// True if a process ended while it created the file.
  ///
  /// After the creation there is a log instead of a journal.
  private var isInterrupted: Bool { (DataFolder.size(ofFile: path + "-journal") ?? 0) > 0 }

  /// Returns the access for reading the file, to which others may write.
  ///
  /// Even a reader creates the shared-memory file beside it, which needs permissions and space. If
  /// it cannot, and there is no log, the file is read without locks.
  ///
  /// - Throws: ``StorageError`` if the file cannot be read.
  func readAccess() throws(StorageError) -> SQLiteConnection.Access {
    try checkLength()
    try checkLog(isShared: true)
    guard !isInterrupted else {
      throw .failed("it was left in the middle of being made, which the next start undoes")
    }
    do throws(StorageError) {
      var connection = try SQLiteConnection(path, .reading)
      _ = try connection.pragma("application_id")
      return .reading
    } catch {
      if case .damaged = error { throw error }
      // Without a log, nothing is being written to the file.
      guard hasLog else { return .readingImmutable }
      throw .failed(
        """
        its log \(Self.logName) cannot be read where nothing can be written beside it \
        (\(error.reason)); check a copy of the folder
        """
      )
    }
  }
}
