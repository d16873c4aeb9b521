internal import TreeDomain

// Checking the log, before SQLite recovers it.
extension SQLiteStorage {
  /// Copies the log into the file concurrently with writers, so that ``close()`` has little to
  /// copy.
  public func copyBeforeClosing() {
    guard let copy, (try? copy.check()) != nil, copy.begin() else { return }
    copy.make()
  }

  /// The suffix of the log's name, after that of the database (sqlite.org/wal.html).
  static let logSuffix = "-wal"

  /// Syncs the log.
  ///
  /// A process that was killed may have left a complete commit that was not synced yet. SQLite
  /// accepts it at the next start, and answers depend on it from then on.
  ///
  /// - Throws: ``StorageError/failed(_:)``.
  static func syncLog(of file: String) throws(StorageError) {
    guard hasLog(file) else { return }
    try WordFile(file + logSuffix).sync()
  }

  /// Returns true if there is a log beside a database.
  static func hasLog(_ file: String) -> Bool {
    (DataFolder.size(ofFile: file + logSuffix) ?? 0) > 0
  }

  /// Checks the log for commits after a bad frame, which SQLite would drop.
  ///
  /// - Parameters:
  ///   - file: The path of the database.
  ///   - isShared: True if another process may write to the log. Then one read may mix states, so
  ///     damage counts only if it is found twice in a row.
  /// - Throws: ``StorageError/damaged(_:)`` with what is wrong and what to do, or
  ///   ``StorageError/failed(_:)`` if the log cannot be read.
  /// - Complexity: O(bytes) of the log, with one frame in memory.
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
    // Without a valid page size, SQLite itself refuses the file as no database.
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

  /// Returns the page size that a database names (sqlite.org/fileformat2.html#page_size); nil if it
  /// is invalid.
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
