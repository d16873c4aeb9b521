import Synchronization
public import TreeDomain

/// Storage in one SQLite database, in a folder that belongs to one process at a time.
///
/// A commit is a transaction: in write-ahead mode with `synchronous=FULL`, so that it is on disk
/// when it returns (sqlite.org/wal.html). The file can be copied while it is in use with SQLite's
/// own `VACUUM INTO`. Three connections, each behind its lock: whoever reads does not wait for a
/// commit, and a commit does not wait for the log to be copied into the file.
public final class SQLiteStorage: TreeStorage {
  // Closed in this order: the last one copies the log, so it must be able to write.
  private let reader: Mutex<SQLiteConnection>
  /// Nil where it is only read.
  let copy: LogCopy?
  let writer: Mutex<SQLiteConnection>
  /// Kept as long as the storage is open; nil where it is only read.
  let folder: DataFolder?
  /// What is written to.
  private let files: FilesInPlace
  let path: String
  /// Nil where it is only read.
  let opened: Opened?
  /// The file, where it is read without looking whether anybody writes to it.
  let fileAsItIs: String?
  /// Called when no copy of the log is being made.
  let idleWaiters = Mutex<[@Sendable () -> Void]>([])
  /// True while ``reading(_:)`` holds a moment.
  private let isHeld = Atomic(false)

  /// The number of entries that wait to be sorted into their places.
  private let maxArrivals: Int
  let assign: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// The bytes of the disk that are kept for what takes something away.
  let minFreeBytes: Int

  /// The name of the file in its folder.
  public static let fileName = "trees.sqlite"

  /// Opens the storage of a folder; folder and file are made where there are none.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - maxArrivals: About how many short entries are kept as they came before they are sorted.
  ///   - minFreeBytes: With how much less room it is short of it; 0: never.
  ///   - assign: Has another thread copy the log, which may take as long as some hundred commits.
  ///   - announce: Told how many bytes a file has that is written anew, before it is.
  /// - Throws: ``StorageError`` where another process has the folder, or the file is none of ours,
  ///   of a newer format, or damaged; nothing is changed then.
  public convenience init(
    folder path: String,
    maxArrivals: Int = 2_048,
    minFreeBytes: Int = 0,
    assign: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    announce: @Sendable (Int) -> Void = { _ in }
  ) throws(StorageError) {
    try self.init(
      folder: path,
      maxArrivals: maxArrivals,
      minFreeBytes: minFreeBytes,
      assign: assign,
      announce: announce,
      origin: DataFolder.origin
    )
  }

  /// The same, given what tells files from their copies.
  init(
    folder path: String,
    maxArrivals: Int,
    minFreeBytes: Int = 0,
    assign: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    announce: @Sendable (Int) -> Void = { _ in },
    origin: (String) -> FileOrigin?
  ) throws(StorageError) {
    self.path = path
    self.maxArrivals = maxArrivals
    self.minFreeBytes = minFreeBytes
    self.assign = assign
    fileAsItIs = nil
    let folder = try DataFolder(path)
    self.folder = folder
    let file = path + "/" + Self.fileName
    try DataFolder.checkIsNoLink(file)
    try Self.syncLog(of: file)
    // By one that only reads, so that a file that is refused stays as it is.
    try Self.check(file)
    // The files that SQLite puts beside it get its permissions.
    try DataFolder.makeFile(file)
    var connection = try SQLiteConnection(file, .writing)
    try connection.settle(announce)
    guard let origin = origin(file) else { throw DataFolder.failure("look at \(file)") }
    opened = try Self.open(&connection, in: path, folder, origin)
    // Where there is no room for that, there is none for anything else, and it may stay.
    try? connection.removeProbe()
    try connection.listArrivals()
    writer = Mutex(connection)
    var other = try SQLiteConnection(file, .reading)
    // The log is opened with what is read first, and stays open.
    _ = try other.isNew()
    reader = Mutex(other)
    copy = try LogCopy(of: file)
    files = FilesInPlace([Self.fileName, Self.fileName + Self.logSuffix], in: path)
    sortArrivals(atLeast: 1)
  }

  /// Opens what is stored in a folder to be read only, whoever writes to it meanwhile.
  ///
  /// - Throws: ``StorageError`` where there is nothing to be read.
  public init(reading path: String) throws(StorageError) {
    self.path = path
    opened = nil
    folder = nil
    files = FilesInPlace([], in: path)
    (maxArrivals, minFreeBytes) = (0, 0)
    copy = nil
    assign = { $0() }
    let file = path + "/" + Self.fileName
    try DataFolder.checkIsNoLink(file)
    let access = try Self.readAccess(to: file)
    fileAsItIs = access == .readingImmutable ? file : nil
    writer = Mutex(try SQLiteConnection(file, access))
    var connection = try SQLiteConnection(file, access)
    guard try !connection.isNew() else { throw .failed("nothing is stored in it") }
    reader = Mutex(connection)
  }

  deinit {
    // The last one to close it would copy it.
    if copy?.hasFailed == true { writer.withLock { $0.leaveLog() } }
  }

  /// Reads, while nobody else does.
  func read<Value>(
    _ body: (inout SQLiteConnection) throws(StorageError) -> sending Value
  ) throws(StorageError) -> sending Value {
    try reader.withLock { connection throws(StorageError) in try body(&connection) }
  }

  /// Reads of entries, wherever they are, as they were at one moment, while nobody else reads.
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

  /// Has something done while all that it reads is as it was at one moment, whoever writes.
  ///
  /// For one thread that alone reads: others would read of that moment, too. The log that others
  /// write is not begun anew meanwhile.
  ///
  /// - Throws: ``StorageError`` where nothing can be read.
  public func reading(_ body: () -> Void) throws(StorageError) {
    try read { connection throws(StorageError) in
      try connection.run("BEGIN")
      // The moment is that of the first look.
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

  /// Makes sure that what is written now will be found by the next start.
  private func check() throws(StorageError) {
    try files.check()
    try copy?.check()
  }

  /// Changes what is stored in a transaction: all of it or nothing.
  func write<Value>(
    _ body: (inout SQLiteConnection) throws(StorageError) -> sending Value
  ) throws(StorageError) -> sending Value {
    try writer.withLock { connection throws(StorageError) in
      try check()
      let (newestBundle, writtenPages) = (connection.newestBundle, connection.writtenPages)
      try connection.run("BEGIN IMMEDIATE")
      do throws(StorageError) {
        let value = try body(&connection)
        try connection.run("COMMIT")
        opened?.marker?.note(commits: connection.newestBundle)
        return value
      } catch {
        // Some failures have ended the transaction already.
        try? connection.run("ROLLBACK")
        connection.arriving = ArrivingEntries()
        connection.newestBundle = newestBundle
        // Pages that were not committed are nothing to copy.
        connection.writtenPages = writtenPages
        throw error
      }
    }
  }

  /// Puts all that was committed into the one file, so that there is no log beside it.
  ///
  /// To be called when nothing else will be written; what was committed is safe without, so that
  /// nobody who reads the file meanwhile, such as a backup, is waited for.
  public func close() {
    guard let copy, !copy.hasFailed else { return }
    writer.withLock { copy.end(by: &$0) }
  }

  /// Makes changes, all of them or none.
  public func commit(_ changes: [StorageChange]) throws(StorageError) {
    do throws(StorageError) {
      try tryCommit(changes)
    } catch {
      if error.isOfDisk { overwriteLog() }
      throw error
    }
  }

  /// Writes over what a commit that failed may have left in the log.
  ///
  /// Where it failed after that was written, and only could not be told that it is on disk, the
  /// next start would take it for committed, though who asked was told that nothing has changed.
  private func overwriteLog() {
    try? write { connection throws(StorageError) in try connection.fillProbe([0]) }
  }

  private func tryCommit(_ changes: [StorageChange]) throws(StorageError) {
    try reserve(changes)
    if changes.count == 1, case .append(let entry, _) = changes[0],
      entry.body.count <= SQLiteConnection.maxArrivalBytes
    {
      return try commit(append: changes[0])
    }
    try write { connection throws(StorageError) in
      for change in changes { try connection.make(change) }
      try connection.writeBundle()
    }
  }

  /// Adds a short entry: one statement, which is a transaction by itself.
  private func commit(append change: StorageChange) throws(StorageError) {
    try writer.withLock { connection throws(StorageError) in
      try check()
      let (newestBundle, writtenPages) = (connection.newestBundle, connection.writtenPages)
      do throws(StorageError) {
        try connection.make(change)
        try connection.writeBundle()
      } catch {
        connection.arriving = ArrivingEntries()
        connection.newestBundle = newestBundle
        connection.writtenPages = writtenPages
        throw error
      }
      opened?.marker?.note(commits: connection.newestBundle)
    }
  }

  /// Sorts what has arrived into its place, and has the log copied into the file.
  ///
  /// What fails here fails for want of room, or of a page that is damaged: it is tried again after
  /// the next commit, and until then nothing is missing.
  public func tidy() {
    sortArrivals(atLeast: maxArrivals)
    copyLog()
  }

  private func sortArrivals(atLeast count: Int) {
    guard writer.withLock({ $0.arriving.members.count >= count }) else { return }
    try? write { connection throws(StorageError) in try connection.sortArrivals() }
  }
}
