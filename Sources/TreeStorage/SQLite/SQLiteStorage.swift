import Synchronization
package import TreeDomain

/// Storage in an SQLite database, in a folder that is locked for one process.
///
/// A commit is a transaction in write-ahead mode with `synchronous=FULL`, so that it is on disk
/// when it returns (sqlite.org/wal.html). While the file is in use, it can be copied with `VACUUM
/// INTO`.
///
/// There are three connections, each with its own lock. So readers do not wait for a commit, and a
/// commit does not wait for the log to be copied into the file.
package final class SQLiteStorage: TreeStorage {
  // Properties are destroyed in this order. The last connection copies the log, so it must be able
  // to write.
  private let reader: Mutex<SQLiteConnection>
  /// Copies the log; nil if the storage is only read.
  let copy: LogCopy?
  let writer: Mutex<SQLiteConnection>
  /// The locked folder; nil if the storage is only read.
  let folder: DataFolder?
  /// The files that must be in place before a write.
  private let files: FilesInPlace
  let path: String
  /// The results of opening; nil if the storage is only read.
  let opened: OpenedGenerations?
  /// Returns the origin of a file.
  private let origin: @Sendable (String) -> FileOrigin?
  /// The path of the file, if it is read without locks; otherwise nil.
  let fileAsItIs: String?
  /// Functions to call when no copy of the log is running.
  let idleWaiters = Mutex<[@Sendable () -> Void]>([])
  /// True during ``reading(_:)``.
  private let isHeld = Atomic(false)

  /// The number of short entries after which they are moved to the table `entries`.
  private let maxArrivals: Int
  let assign: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// The number of bytes of the disk that are reserved for removals.
  let minFreeBytes: Int

  /// The name of the database file in its folder.
  package static let fileName = "trees.sqlite"
  /// The suffix of the log's name, after that of the database (sqlite.org/wal.html).
  static let logSuffix = "-wal"

  /// Opens the storage in a folder.
  ///
  /// Creates the folder and the file if they do not exist.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - maxArrivals: The number of short entries after which they are moved to their final table.
  ///   - minFreeBytes: The free bytes that are reserved for removals; see ``isShortOfRoom``. 0 for
  ///     none.
  ///   - assign: Runs a closure, which may take as long as some hundred commits, on another thread.
  /// - Throws: ``StorageError`` if another process has locked the folder, or if the file belongs to
  ///   another program, has another format or is damaged. The file is unchanged then.
  package convenience init(
    folder path: String,
    maxArrivals: Int = 2_048,
    minFreeBytes: Int = 0,
    assign: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
  ) throws(StorageError) {
    try self.init(
      folder: path,
      maxArrivals: maxArrivals,
      minFreeBytes: minFreeBytes,
      assign: assign,
      origin: DataFolder.origin
    )
  }

  /// Opens the storage in a folder, with a function that returns the origin of a file.
  init(
    folder path: String,
    maxArrivals: Int,
    minFreeBytes: Int = 0,
    assign: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    origin: @escaping @Sendable (String) -> FileOrigin?
  ) throws(StorageError) {
    self.path = path
    self.maxArrivals = maxArrivals
    self.minFreeBytes = minFreeBytes
    self.assign = assign
    self.origin = origin
    fileAsItIs = nil
    let folder = try DataFolder(path)
    self.folder = folder
    let file = path + "/" + Self.fileName
    try DataFolder.checkIsNoLink(file)
    try DatabaseFile(file).syncLog()
    // The check only reads, so that a file that is refused stays unchanged.
    try DatabaseFile(file).check()
    // SQLite gives its other files the permissions of this one.
    try DataFolder.makeFile(file)
    var connection = try SQLiteConnection(file, .writing)
    try SQLiteSchema.prepare(&connection)
    opened = try OpenedGenerations.open(&connection, in: path, folder, origin)
    // If there is no room to remove it, it may stay, because nothing else can be written either.
    try? connection.removeProbe()
    try connection.listArrivals()
    connection.longEntries = LongEntries.find(&connection)
    writer = Mutex(connection)
    var other = try SQLiteConnection(file, .reading)
    // The first read opens the log, which then stays open.
    _ = try SQLiteSchema.isNew(&other)
    reader = Mutex(other)
    copy = try LogCopy(of: file)
    files = FilesInPlace([Self.fileName, Self.fileName + Self.logSuffix], in: path)
    removeStalePieces()
    sortArrivals(atLeast: 1)
  }

  /// Opens the storage in a folder for reading only.
  ///
  /// Another process may write to it.
  ///
  /// - Throws: ``StorageError`` if there is nothing to read, or if it cannot be read.
  package init(reading path: String) throws(StorageError) {
    self.path = path
    opened = nil
    folder = nil
    files = FilesInPlace([], in: path)
    (maxArrivals, minFreeBytes) = (0, 0)
    copy = nil
    assign = { $0() }
    origin = DataFolder.origin
    let file = path + "/" + Self.fileName
    try DataFolder.checkIsNoLink(file)
    let access = try DatabaseFile(file).readAccess()
    fileAsItIs = access == .readingImmutable ? file : nil
    writer = Mutex(try SQLiteConnection(file, access))
    var connection = try SQLiteConnection(file, access)
    guard try !SQLiteSchema.isNew(&connection) else { throw .failed("nothing is stored in it") }
    reader = Mutex(connection)
  }

  deinit {
    // The connection that closes last would copy the log.
    if copy?.hasFailed == true { writer.withLock { $0.leaveLog() } }
  }

  /// Runs a closure with the reading connection, under its lock.
  func read<Value>(
    _ body: (inout SQLiteConnection) throws(StorageError) -> sending Value
  ) throws(StorageError) -> sending Value {
    try reader.withLock { connection throws(StorageError) in try body(&connection) }
  }

  /// Runs a closure that reads entries from one consistent state, under the lock of the reading
  /// connection.
  func readEntries<Value>(
    _ body: (inout SQLiteConnection) throws(StorageError) -> sending Value
  ) throws(StorageError) -> sending Value {
    try read { connection throws(StorageError) in
      if isHeld.load(ordering: .relaxed) { return try body(&connection) }
      try connection.run("BEGIN")
      defer { try? connection.run("COMMIT") }
      try connection.updateArrivals()
      return try body(&connection)
    }
  }

  /// Runs a closure whose reads all see the same state, whatever is written meanwhile.
  ///
  /// During the call, the log cannot start again at its front.
  ///
  /// - Precondition: No other thread reads, because it would see the same old state.
  /// - Throws: ``StorageError`` if the storage cannot be read.
  package func reading(_ body: () -> Void) throws(StorageError) {
    try read { connection throws(StorageError) in
      try connection.run("BEGIN")
      // SQLite fixes the state at the first read.
      do throws(StorageError) { try connection.updateArrivals() } catch {
        try? connection.run("COMMIT")
        throw error
      }
    }
    isHeld.store(true, ordering: .relaxed)
    body()
    isHeld.store(false, ordering: .relaxed)
    try read { connection throws(StorageError) in try connection.run("COMMIT") }
  }

  /// Checks that the next start will find what is written now.
  private func check() throws(StorageError) {
    try files.check()
    try copy?.check()
  }

  /// Runs a closure in a transaction, which is rolled back if the closure throws.
  func write<Value>(
    _ body: (inout SQLiteConnection) throws(StorageError) -> sending Value
  ) throws(StorageError) -> sending Value {
    try writer.withLock { connection throws(StorageError) in
      try check()
      let savepoint = connection.savepoint
      try connection.run("BEGIN IMMEDIATE")
      do throws(StorageError) {
        let value = try body(&connection)
        try connection.run("COMMIT")
        opened?.marker?.record(commits: connection.newestBundle)
        return value
      } catch {
        // Some failures have ended the transaction already.
        try? connection.run("ROLLBACK")
        connection.restore(savepoint)
        throw error
      }
    }
  }

  /// Copies the log into the database file and removes its content.
  ///
  /// Must be called after the last write. Commits are safe without it, so it waits only 200 ms for
  /// other processes that read the file, such as a backup.
  ///
  /// Replaces the marker, so that earlier copies of the folder are detected.
  package func close() {
    guard let copy, !copy.hasFailed else { return }
    writer.withLock { connection in
      if let opened, let folder, (try? check()) != nil {
        OpenedGenerations.renew(opened.marker, &connection, folder, origin)
      }
      copy.end(by: &connection)
    }
  }

  /// Applies changes, all or none; see ``TreeStorage``.
  package func commit(_ changes: [StorageChange]) throws(StorageError) {
    do throws(StorageError) { try tryCommit(changes) } catch {
      for case .append(_, let tree) in changes { abandonLongEntry(of: tree) }
      throw recover(from: error)
    }
  }

  /// Cleans up after a commit that failed because of the disk.
  ///
  /// If only the sync failed, the frames in the log may be complete. The next start would then
  /// accept the commit, although the caller was told that nothing has changed. So they are
  /// overwritten.
  ///
  /// - Returns: The error of the commit.
  func recover(from error: StorageError) -> StorageError {
    guard error.isOfDisk else { return error }
    try? write { connection throws(StorageError) in try connection.fillProbe([0]) }
    abandonLongEntry()
    return error
  }

  private func tryCommit(_ changes: [StorageChange]) throws(StorageError) {
    try reserve(changes)
    if changes.count == 1, case .append(let entry, let tree) = changes[0],
      entry.body.count <= SQLiteConnection.maxArrivalBytes,
      !writer.withLock({ $0.longEntries.mayHavePieces(of: entry, in: tree) })
    {
      return try commit(append: changes[0])
    }
    try write { connection throws(StorageError) in
      for change in changes { try connection.make(change) }
      try connection.writeBundle()
    }
  }

  /// Commits a short entry: one statement, which is a transaction by itself.
  private func commit(append change: StorageChange) throws(StorageError) {
    try writer.withLock { connection throws(StorageError) in
      try check()
      let savepoint = connection.savepoint
      do throws(StorageError) {
        try connection.make(change)
        try connection.writeBundle()
      } catch {
        connection.restore(savepoint)
        throw error
      }
      opened?.marker?.record(commits: connection.newestBundle)
    }
  }

  /// Moves short entries to their final table if there are many, and copies the log if it is long.
  ///
  /// Failures, because of space or a damaged page, are ignored. Nothing is lost, and the next
  /// commit tries again.
  package func tidy() {
    sortArrivals(atLeast: maxArrivals)
    copyLog()
  }

  private func sortArrivals(atLeast count: Int) {
    guard writer.withLock({ $0.arriving.members.count >= count }) else { return }
    try? write { connection throws(StorageError) in try connection.sortArrivals() }
  }
}
