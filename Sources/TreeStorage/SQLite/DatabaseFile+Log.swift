internal import TreeDomain

// Checking the log, before SQLite recovers it.
extension DatabaseFile {
  /// The name of the log in the folder.
  static var logName: String { SQLiteStorage.fileName + SQLiteStorage.logSuffix }

  /// Syncs the log.
  ///
  /// A process that was killed may have left a complete commit that was not synced yet. SQLite
  /// accepts it at the next start, and answers depend on it from then on.
  ///
  /// - Throws: ``StorageError/failed(_:)``.
  func syncLog() throws(StorageError) {
    guard hasLog else { return }
    try WordFile(log).sync()
  }

  /// True if there is a log beside the database.
  var hasLog: Bool { (DataFolder.size(ofFile: log) ?? 0) > 0 }

  /// Checks the log for commits after a bad frame, which SQLite would drop.
  ///
  /// - Parameter isShared: True if another process may write to the log. Then one read may mix
  ///   states, so damage counts only if it is found twice in a row.
  /// - Throws: ``StorageError/damaged(_:)`` with what is wrong and what to do, or
  ///   ``StorageError/failed(_:)`` if the log cannot be read.
  /// - Complexity: O(bytes) of the log, with one frame in memory.
  func checkLog(isShared: Bool) throws(StorageError) {
    var before: String?
    for _ in 0..<Self.maxLooks {
      guard let finding = try findLogDamage() else { return }
      if !isShared || finding == before { throw .damaged(finding) }
      before = finding
    }
  }

  private static let maxLooks = 5

  private func findLogDamage() throws(StorageError) -> String? {
    guard hasLog else { return nil }
    let log = try WordFile(log)
    var words = [UInt32](repeating: 0, count: LogHeader.wordCount)
    guard try log.read(&words, at: 0) else { return nil }
    let header = LogHeader(words)
    // Without a valid page size, SQLite itself refuses the file as no database.
    guard let pageBytes = try header.isWhole ? header.pageBytes : storedPageBytes() else {
      return nil
    }
    var scan = LogScan(header)
    var offset = MemoryLayout<UInt32>.size * words.count
    let frameWords = LogFrame.headerWords + pageBytes / MemoryLayout<UInt32>.size
    words = [UInt32](repeating: 0, count: frameWords)
    while try log.read(&words, at: offset) {
      scan.accept(LogFrame(words))
      offset += MemoryLayout<UInt32>.size * frameWords
    }
    return scan.isDamaged ? sentence(scan) : nil
  }

  /// Returns the page size that a database names (sqlite.org/fileformat2.html#page_size); nil if it
  /// is invalid.
  private func storedPageBytes() throws(StorageError) -> Int? {
    var words: [UInt32] = [0]
    guard try WordFile(path).read(&words, at: 16) else { return nil }
    let number = Int(UInt32(bigEndian: words[0]) >> 16)
    return LogHeader.pageBytes(number == 1 ? 65_536 : number)
  }

  private func sentence(_ scan: LogScan) -> String {
    let bad = scan.firstBad ?? 0
    let place = bad == 0 ? "its header" : "frame \(bad) of \(scan.frameCount)"
    return """
      its log \(Self.logName) is damaged in \(place), so that \(scan.commitsBehind) \
      commits from there on cannot be read; nothing was touched. Restore a backup; or, to go on \
      without them, keep a copy of the folder and have SQLite give them up: \
      sqlite3 \(path) "PRAGMA wal_checkpoint(TRUNCATE)", and then look with --check
      """
  }
}
