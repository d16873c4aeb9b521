internal import TreeDomain

// The log is looked through before SQLite does.
extension SQLiteStorage {
  /// Copies the log into the file beside those who write, so that ``close()`` has little to copy.
  public func copyBeforeClosing() {
    guard let copy, (try? copy.check()) != nil, copy.begin() else { return }
    copy.make()
  }

  /// What is behind the name of a database in that of its log (sqlite.org/wal.html).
  static let logSuffix = "-wal"

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
  /// - Throws: ``StorageError/damaged(_:)`` with what is wrong and what to do, or
  ///   ``StorageError/failed(_:)`` where the log cannot be read.
  /// - Complexity: O(bytes) of the log; a frame of it is in memory.
  static func checkLog(of file: String, isShared: Bool) throws(StorageError) {
    var before: String?
    for _ in 0..<maxLooks {
      guard let finding = try findLogDamage(file) else { return }
      if !isShared || finding == before { throw .damaged(finding) }
      before = finding
    }
  }

  private static let maxLooks = 5

  private static func findLogDamage(_ file: String) throws(StorageError) -> String? {
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
    return scan.isDamaged ? sentence(scan, file) : nil
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
