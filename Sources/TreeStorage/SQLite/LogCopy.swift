internal import Synchronization
internal import TreeDomain

/// Copies the write-ahead log into the database file concurrently with writers (a checkpoint;
/// sqlite.org/wal.html, section 2.1).
///
/// Pages that are written during a copy are not part of it. Once few of those are left, the writer
/// copies them between two commits, and the log starts again at its front. Otherwise it would grow
/// for as long as somebody writes.
///
/// SQLite syncs the file only if it copied the whole log. If a writer or a reader limited it to a
/// part, it counts that part as copied. It leaves the sync to whoever copies the rest. If that sync
/// fails, the part is never copied again. So while writing goes on, copies are made only here,
/// where each one is followed by a sync.
final class LogCopy: Sendable {
  private enum Phase: Int, AtomicRepresentable {
    /// No copy is being made.
    case idle
    /// A copy is being made, or will be.
    case begun
    /// A copy is complete; pages that were written during it are not in it.
    case made
  }

  /// A separate connection, so that writers do not wait for its lock.
  private let connection: Mutex<SQLiteConnection>
  private let phase = Atomic(Phase.idle)
  /// The length of the log in pages when the last copy was made.
  private let length = Atomic(0)
  /// True if the disk did not take a copy, so that only the log has the data.
  private let isLogToStay = Atomic(false)

  /// Opens the connection.
  ///
  /// - Parameter path: The database file, in the current format.
  /// - Throws: ``StorageError``.
  init(of path: String) throws(StorageError) {
    var connection = try SQLiteConnection(path, .writing)
    try connection.keepForGood()
    // The first read opens the log.
    _ = try connection.isNew()
    self.connection = Mutex(connection)
  }

  // A running copy keeps this object alive, so this may be the last connection that closes.
  deinit { if hasFailed { connection.withLock { $0.leaveLog() } } }

  /// Checks that the log may still be written.
  ///
  /// - Throws: ``StorageError/failed(_:)`` after a failed sync. SQLite counts the pages as copied,
  ///   but the disk may not have them. A second sync would succeed without writing them (fsync(2),
  ///   EIO), and the log would be overwritten. The next start copies the whole log again.
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

  /// Reserves the next copy.
  ///
  /// Returns false if one is being made; otherwise the caller must call ``make()``.
  func begin() -> Bool {
    phase.compareExchange(expected: .idle, desired: .begun, ordering: .relaxed).exchanged
  }

  /// True while a copy is being made concurrently with writers.
  var isUnderWay: Bool { phase.load(ordering: .acquiring) == .begun }

  /// Copies the log concurrently with writers.
  ///
  /// - Precondition: ``begin()`` returned true.
  func make() {
    connection.withLock { connection in
      // After a failure, the next copy is tried when the same number of pages was written again.
      guard let copied = make(by: &connection) else {
        return phase.store(.idle, ordering: .relaxed)
      }
      length.store(copied, ordering: .relaxed)
      phase.store(.made, ordering: .releasing)
    }
  }

  /// Copies the log through a connection, and syncs the database file.
  ///
  /// - Returns: The length of the log in pages; nil if a step failed.
  func make(by connection: inout SQLiteConnection) -> Int? {
    guard let copied = try? connection.copyLog() else { return nil }
    if connection.syncFile() { return copied }
    isLogToStay.store(true, ordering: .releasing)
    return nil
  }

  /// Returns the length of the log in pages at the last copy, once for each copy; otherwise nil.
  func takeMade() -> Int? {
    phase.compareExchange(expected: .made, desired: .idle, ordering: .acquiring).exchanged
      ? length.load(ordering: .relaxed) : nil
  }

  /// True if the log must stay as it is.
  ///
  /// Waits for a running copy.
  var hasFailed: Bool { connection.withLock { _ in isLogToStay.load(ordering: .acquiring) } }
}
