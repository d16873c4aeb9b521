internal import Synchronization
internal import TreeDomain

/// Copies the log into the file while others write to it, and nobody waits for that
/// (sqlite.org/wal.html, section 2.1).
///
/// What is written meanwhile is not in the copy. Once that is little, whoever writes copies it, and
/// has the log begin anew; else it would grow for as long as somebody writes.
///
/// SQLite waits for the disk only where all of the log is copied. Where somebody has written
/// meanwhile, or reads what was there before, it takes a part for copied that the disk may not
/// have, and leaves the wait to whoever copies the rest; if that one fails, the part is not copied
/// again. So while anything may still be written no copy is made but here, where the disk is waited
/// for each time.
final class LogCopy: Sendable {
  private enum Phase: Int, AtomicRepresentable {
    /// Nobody copies.
    case idle
    /// Somebody does, or will.
    case begun
    /// What was there is copied, and what came meanwhile is not.
    case made
  }

  /// A connection of its own, so that one who writes does not wait for its lock.
  private let connection: Mutex<SQLiteConnection>
  private let phase = Atomic(Phase.idle)
  /// How many pages the log had when the last copy was made.
  private let length = Atomic(0)
  /// Whether the disk did not take what was copied, and the log has it alone.
  private let isLogToStay = Atomic(false)

  /// - Parameter path: The file, which is settled.
  /// - Throws: ``StorageError``.
  init(of path: String) throws(StorageError) {
    var connection = try SQLiteConnection(path, .writing)
    try connection.keepForGood()
    // The log is opened with what is read first.
    _ = try connection.isNew()
    self.connection = Mutex(connection)
  }

  // Who still makes a copy lets go of it last, behind the storage that it is of.
  deinit { if hasFailed { connection.withLock { $0.leaveLog() } } }

  /// Makes sure that the log may go on.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where SQLite takes for copied what the disk may not
  ///   have. A second try to have it on the disk would succeed whatever became of the first
  ///   (fsync(2), EIO), and the log begin anew; the next start copies all of it again.
  func check() throws(StorageError) {
    guard isLogToStay.load(ordering: .acquiring) else { return }
    let log = SQLiteStorage.fileName + SQLiteStorage.logSuffix
    throw .failed(
      """
      the disk did not take what was copied from \(log); nothing is lost, as all of it stands \
      there still: see to the disk, and start the service anew
      """
    )
  }

  /// Begins, unless a copy is being made: the caller has it made then.
  func begin() -> Bool {
    phase.compareExchange(expected: .idle, desired: .begun, ordering: .relaxed).exchanged
  }

  /// True while a copy is being made beside those who write.
  var isUnderWay: Bool { phase.load(ordering: .acquiring) == .begun }

  /// Copies what is there, beside those who write.
  func make() {
    connection.withLock { connection in
      // What fails is not taken for copied, and is tried again when as much was written once more.
      guard let copied = make(by: &connection) else {
        return phase.store(.idle, ordering: .relaxed)
      }
      length.store(copied, ordering: .relaxed)
      phase.store(.made, ordering: .releasing)
    }
  }

  /// Copies what is there by a connection, and waits for the disk to have it.
  ///
  /// - Returns: How many pages the log has; nil where they were not copied.
  func make(by connection: inout SQLiteConnection) -> Int? {
    guard let copied = try? connection.copyLog() else { return nil }
    if connection.syncFile() { return copied }
    isLogToStay.store(true, ordering: .releasing)
    return nil
  }

  /// If a copy was made since somebody asked, how many pages the log had then.
  func takeMade() -> Int? {
    phase.compareExchange(expected: .made, desired: .idle, ordering: .acquiring).exchanged
      ? length.load(ordering: .relaxed) : nil
  }

  /// Whether the log is to stay as it is; waits for a copy that is being made.
  var hasFailed: Bool { connection.withLock { _ in isLogToStay.load(ordering: .acquiring) } }
}
