internal import Synchronization
internal import TreeDomain

// The log is looked through before SQLite does, and watched while it is written.
extension SQLiteStorage {
  /// Makes sure that what is written now will be found by the next start.
  ///
  /// - Parameter connection: The one that writes; no transaction is running.
  /// - Throws: ``StorageError``.
  func check(_ connection: inout SQLiteConnection) throws(StorageError) {
    guard let watch else { return }
    mendIndexForWriting()
    try stopCopying { () throws(StorageError) in
      let before = connection.logPages
      guard try !watch.check(pages: before) else { return }
      // Another process may have had SQLite empty it. The next commit tells by where it is written.
      do throws(StorageError) { try connection.fillProbe([0]) } catch {
        if case .full = error { throw error }
        throw watch.noteCut()
      }
      try watch.check(pages: connection.logPages, before: before)
    }
    try copy?.check()
  }

  /// Makes sure that a commit will be found by the next start.
  ///
  /// - Parameters:
  ///   - connection: The one that has written.
  ///   - before: The number of pages of the log before the commit.
  /// - Throws: ``StorageError/failed(_:)``; whoever waits for the commit must not be told of it.
  func check(
    _ connection: borrowing SQLiteConnection,
    before: Int
  ) throws(StorageError) {
    try stopCopying { () throws(StorageError) in
      try watch?.check(pages: connection.logPages, before: before)
    }
  }

  /// Has the log stay as it is if a check finds that it was cut: what is left is not whole.
  private func stopCopying(_ check: () throws(StorageError) -> Void) throws(StorageError) {
    do throws(StorageError) { try check() } catch {
      if watch?.isCut == true { copy?.leaveLog() }
      throw error
    }
  }

  /// Has the index of the log made anew before something is written, if somebody cut it.
  ///
  /// - Precondition: The caller alone writes.
  func mendIndexForWriting() {
    guard let watch, !watch.isIndexWhole else { return }
    reader.withLock { _ in copy?.whileIdle { watch.clearIndex() } }
  }

  /// Has the index of the log made anew before it is read, if somebody cut it.
  ///
  /// SQLite maps it into memory, so that reading what is not there any more ends the process.
  ///
  /// - Precondition: The caller alone reads.
  /// - Throws: ``StorageError/failed(_:)`` if somebody writes, who will have it made anew.
  func mendIndexForReading() throws(StorageError) {
    guard let watch, !watch.isIndexWhole else { return }
    let isDone = writer.withLockIfAvailable { _ in copy?.whileIdle { watch.clearIndex() } } != nil
    guard isDone else {
      throw .failed("\(Self.fileName)\(Self.indexSuffix) was cut while it is in use")
    }
  }

  /// Copies the log into the file beside those who write, so that ``close()`` has little to copy.
  public func copyBeforeClosing() {
    guard let copy, isFitForCopying, copy.begin() else { return }
    copy.make()
  }

  /// Returns true if all that was committed is there, though the files may have been moved.
  func isFitForCopying(_ connection: borrowing SQLiteConnection) -> Bool {
    guard let watch else { return false }
    return !watch.isCut && (try? watch.check(pages: connection.logPages)) != false
  }

  /// True if all that was committed is there to be copied, and what follows will be found.
  var isFitForCopying: Bool { writer.withLock { (try? check(&$0)) != nil } }

  /// What is behind the name of a database in that of its log (sqlite.org/wal.html).
  static let logSuffix = "-wal"
  /// The same of the index of its log, which all who have the database open share.
  static let indexSuffix = "-shm"

  /// Makes sure that what a start takes for committed is on disk: a process that was killed may
  /// have left a commit before its sync, and answers are given from it from now on.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where it cannot be written.
  static func syncLog(of file: String) throws(StorageError) {
    guard hasLog(file) else { return }
    try WordFile(file + logSuffix).sync()
  }

  /// Whether there is a log beside a database.
  static func hasLog(_ file: String) -> Bool {
    (DataFolder.size(ofFile: file + logSuffix) ?? 0) > 0
  }

  /// Looks for commits behind a bad frame of the log, which SQLite would take back.
  ///
  /// - Parameters:
  ///   - file: The database.
  ///   - isShared: Whether somebody may write to the log meanwhile: what is read of it then may be
  ///     of different times, and only what is found twice is there.
  /// - Returns: How many pages of the log are committed.
  /// - Throws: ``StorageError/damaged(_:)`` with what is wrong and what to do, or
  ///   ``StorageError/failed(_:)`` where the log cannot be read.
  /// - Complexity: O(bytes) of the log; a frame of it is in memory.
  @discardableResult
  static func checkLog(of file: String, isShared: Bool) throws(StorageError) -> Int {
    var before: String?
    for _ in 0..<maxLooks {
      guard let scan = try scanLog(file) else { return 0 }
      guard scan.isDamaged else { return scan.committedCount }
      let finding = sentence(scan, file)
      if !isShared || finding == before { throw .damaged(finding) }
      before = finding
    }
    return 0
  }

  private static let maxLooks = 5

  private static func scanLog(_ file: String) throws(StorageError) -> LogScan? {
    guard hasLog(file) else { return nil }
    let log = try WordFile(file + logSuffix)
    var words = [UInt32](repeating: 0, count: LogHeader.wordCount)
    guard try log.read(&words, at: 0) else { return nil }
    let header = LogHeader(words)
    // Where nobody knows how long a page is, SQLite says that the file is no database.
    guard let pageBytes = try header.isWhole ? header.pageBytes : pageBytes(of: file) else {
      return nil
    }
    var scan = LogScan(header)
    var offset = MemoryLayout<UInt32>.size * words.count
    let frameWords = LogFrame.headerWords + pageBytes / MemoryLayout<UInt32>.size
    words = [UInt32](repeating: 0, count: frameWords)
    while try log.read(&words, at: offset) {
      scan.take(LogFrame(words))
      offset += MemoryLayout<UInt32>.size * frameWords
    }
    return scan
  }

  /// How long a page is, as a database says (sqlite.org/fileformat2.html#page_size).
  private static func pageBytes(of file: String) throws(StorageError) -> Int? {
    var words: [UInt32] = [0]
    guard try WordFile(file).read(&words, at: 16) else { return nil }
    let number = Int(UInt32(bigEndian: words[0]) >> 16)
    return LogHeader.pageBytes(number == 1 ? 65_536 : number)
  }

  private static func sentence(_ scan: LogScan, _ file: String) -> String {
    let bad = scan.firstBad ?? 0
    let place = bad == 0 ? "its header" : "frame \(bad) of \(scan.frameCount)"
    return """
      its log \(fileName)\(logSuffix) is damaged in \(place), so that \(scan.commitsBehind) \
      commits from there on cannot be read; nothing was touched. Restore a backup; or, to go on \
      without them, keep a copy of the folder and have SQLite give them up: \
      sqlite3 \(file) "PRAGMA wal_checkpoint(TRUNCATE)", and then look with --check
      """
  }
}
