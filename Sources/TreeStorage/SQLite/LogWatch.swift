internal import Synchronization
internal import TreeDomain

/// Watches the log of a database that is in use: what is committed must be found by the next start.
///
/// SQLite writes behind the place where it wrote last, however long the log still is. The next
/// start would find nothing behind a cut, and nothing at all in a log that begins with a hole. So
/// the length is compared before each commit. After it, the header and the last page of the commit
/// before are compared, too: the log may have been cut and have grown again meanwhile.
final class LogWatch: Sendable {
  private let file: FileInPlace
  private let log: FileInPlace
  private let content: WordFile
  private let pageBytes: Int
  private let hasSeenCut = Atomic(false)
  private let indexPath: String
  private let index: FileIdentity?
  /// The greatest length that the index of the log was seen to have.
  private let indexBytes = Atomic(0)

  /// Begins to watch a database of a folder, and its log, which must be there.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where one of them is not there.
  init(_ folder: String, pageBytes: Int) throws(StorageError) {
    let logName = SQLiteStorage.fileName + SQLiteStorage.logSuffix
    guard let file = FileInPlace(SQLiteStorage.fileName, in: folder),
      let log = FileInPlace(logName, in: folder)
    else { throw .failed("\(SQLiteStorage.fileName) or its log is not there any more") }
    (self.file, self.log, self.pageBytes) = (file, log, pageBytes)
    content = try WordFile("\(folder)/\(logName)")
    indexPath = "\(folder)/\(SQLiteStorage.fileName)\(SQLiteStorage.indexSuffix)"
    index = DataFolder.identity(ofFile: indexPath)
  }

  /// True if the log was cut: what it held may be lost, and the rest must not be copied.
  var isCut: Bool { hasSeenCut.load(ordering: .acquiring) }

  /// Makes sure that the files are in their places.
  ///
  /// - Parameter pages: The number of pages that SQLite counts in the log; 0 if it is not known.
  /// - Returns: True if the log has so many. One that has less was cut, or emptied by SQLite.
  /// - Throws: ``StorageError/failed(_:)`` if they are not, or the log was cut before.
  func check(pages: Int) throws(StorageError) -> Bool {
    guard !isCut else { throw cut }
    try file.check()
    let bytes = try log.check()
    return pages == 0 || bytes >= length(ofPages: pages)
  }

  /// Makes sure after a commit that the next start will find it.
  ///
  /// - Parameters:
  ///   - pages: The number of pages that SQLite counts in the log; 0 if it is not known.
  ///   - before: Their number before the commit; 0 if it is not known.
  /// - Throws: ``StorageError/failed(_:)`` with what is wrong, and what to do.
  func check(pages: Int, before: Int) throws(StorageError) {
    guard try check(pages: pages) else { throw noteCut() }
    guard pages > 0 else { return }
    var words = [UInt32](repeating: 0, count: LogHeader.wordCount)
    guard try content.read(&words, at: 0) else { throw noteCut() }
    let header = LogHeader(words)
    guard header.isWhole else { throw noteCut() }
    // The log may have begun anew with this commit.
    guard 1..<pages ~= before else { return }
    words = [UInt32](repeating: 0, count: LogFrame.headerWords)
    let place = length(ofPages: before - 1)
    guard try content.read(&words, at: place), LogSalts(words, at: 2) == header.salts else {
      throw noteCut()
    }
  }

  /// False if the index of the log is shorter than it was: SQLite never shortens it.
  var isIndexWhole: Bool {
    guard let state = DataFolder.state(ofFile: indexPath), state.identity == index else {
      // It was removed: whoever has it open still has all of it.
      return true
    }
    let known = indexBytes.max(state.bytes, ordering: .relaxed).oldValue
    return state.bytes >= known
  }

  /// Gives the index of the log its length again, with nothing in it: SQLite then makes it anew.
  ///
  /// - Precondition: Nobody uses the database.
  func clearIndex() {
    DataFolder.clear(indexPath, bytes: indexBytes.load(ordering: .relaxed))
  }

  private func length(ofPages count: Int) -> Int {
    let word = MemoryLayout<UInt32>.size
    return LogHeader.wordCount * word + count * (LogFrame.headerWords * word + pageBytes)
  }

  /// Has nothing written any more.
  ///
  /// - Returns: The error to throw.
  func noteCut() -> StorageError {
    hasSeenCut.store(true, ordering: .releasing)
    return cut
  }

  private var cut: StorageError {
    .failed(
      """
      \(log.name) was cut while it is in use, and what was committed may be lost; nothing is \
      written any more. Keep a copy of the folder, and start the service anew: it says what is \
      missing
      """
    )
  }
}
