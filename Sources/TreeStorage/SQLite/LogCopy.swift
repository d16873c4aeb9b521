internal import Synchronization
internal import TreeDomain

/// Copies the write-ahead log into the database file concurrently with the writer (a checkpoint;
/// sqlite.org/wal.html, section 2.1).
///
/// Pages that are written during a copy are not part of it. Once few of those are left, the writer
/// copies them between two commits, and the log starts again at its front. Otherwise it would grow
/// while changes are written.
///
/// SQLite syncs the file only after it copied the whole log. If a writer or a reader limits a copy
/// to a part, SQLite counts the part as copied, and leaves the sync to the next copy. If that sync
/// fails, SQLite does not copy the part again. So during writes, all copies are made here, and each
/// is synced.
///
/// A copy must not begin while another connection may start the log again. SQLite up to 3.51.2
/// counts new pages as copied then, which corrupts the file (sqlite.org/wal.html, "The WAL-reset
/// bug"). The log can start again only if all of it is copied. So a concurrent copy begins only if
/// pages were written since the last copy, and is dropped if the writer copies them first.
final class LogCopy: Sendable {
  private enum Phase: Int, AtomicRepresentable {
    /// No copy is requested.
    case idle
    /// A thread was asked to copy.
    case begun
    /// A thread was asked to copy, but the writer did so first.
    case overtaken
    /// A thread is copying.
    case copying
    /// A concurrent copy is complete; pages that were written during it are not in it.
    case made
  }

  /// A separate connection, so that the writer does not wait for its lock.
  ///
  /// The lock is held while any connection copies.
  private let connection: Mutex<SQLiteConnection>
  private let phase = Atomic(Phase.idle)
  /// The length of the log in pages at the last concurrent copy.
  private let length = Atomic(0)
  /// True if the sync after a copy failed, so that only the log is sure to have the data.
  private let isLogToStay = Atomic(false)

  /// Opens the connection.
  ///
  /// - Parameter path: The path of the database file, in the current format.
  /// - Throws: ``StorageError``.
  init(of path: String) throws(StorageError) {
    var connection = try SQLiteConnection(path, .writing)
    try connection.keepForGood()
    // The first read opens the log.
    _ = try SQLiteSchema.isNew(&connection)
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
    let log = DatabaseFile.logName
    throw .failed(
      """
      the disk did not take what was copied from \(log); nothing is lost, as all of it stands \
      there still: see to the disk, and start the service anew
      """
    )
  }

  /// Requests a concurrent copy.
  ///
  /// Returns false if one is requested or running already.
  ///
  /// Otherwise the caller must make another thread call ``make()``.
  ///
  /// - Precondition: The caller holds the writer's lock, and pages were written since the last
  ///   copy.
  func begin() -> Bool {
    phase.compareExchange(expected: .idle, desired: .begun, ordering: .relaxed).exchanged
  }

  /// True while a concurrent copy is requested or running.
  var isUnderWay: Bool {
    switch phase.load(ordering: .acquiring) {
    case .begun, .copying: true
    case .idle, .overtaken, .made: false
    }
  }

  /// Copies the log concurrently with the writer, unless the writer did so since ``begin()``.
  func make() {
    connection.withLock { connection in
      guard exchange(.begun, for: .copying) else {
        return phase.store(.idle, ordering: .releasing)
      }
      // After a failure, the next copy is tried when the same number of pages was written again.
      guard let copied = copy(by: &connection) else {
        return phase.store(.idle, ordering: .releasing)
      }
      length.store(copied, ordering: .relaxed)
      phase.store(.made, ordering: .releasing)
    }
  }

  /// Copies the log through the writer's connection.
  ///
  /// Does nothing during a concurrent copy.
  ///
  /// - Precondition: The caller holds the writer's lock.
  func make(by writer: inout SQLiteConnection) {
    _ = connection.withLockIfAvailable { _ in
      overtake()
      _ = copy(by: &writer)
    }
  }

  /// Copies the log through the writer's connection, and truncates it.
  ///
  /// Waits for a running copy, but only 200 ms for other processes. Failures are ignored.
  ///
  /// - Precondition: The caller holds the writer's lock, and nothing is written afterwards.
  func end(by writer: inout SQLiteConnection) {
    connection.withLock { _ in
      overtake()
      writer.waitForOthers(milliseconds: 200)
      try? writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// Copies the log, and syncs the database file.
  ///
  /// - Returns: The length of the log in pages; `nil` if a step failed.
  private func copy(by connection: inout SQLiteConnection) -> Int? {
    guard let copied = try? connection.copyLog() else { return nil }
    if connection.syncFile() { return copied }
    // The next start copies everything, even if another process keeps the shared memory until then.
    connection.forgetCopies()
    isLogToStay.store(true, ordering: .releasing)
    return nil
  }

  /// Cancels a requested copy that has not begun.
  ///
  /// - Precondition: The caller holds the lock of the connection.
  private func overtake() { exchange(.begun, for: .overtaken) }

  @discardableResult
  private func exchange(_ expected: Phase, for desired: Phase) -> Bool {
    phase.compareExchange(
      expected: expected,
      desired: desired,
      ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Returns the length of the log in pages at a concurrent copy that is complete.
  ///
  /// Each copy is reported once; nil if there is none to report.
  func popMade() -> Int? {
    exchange(.made, for: .idle) ? length.load(ordering: .relaxed) : nil
  }

  /// True if the log must stay as it is.
  ///
  /// Waits for a running copy.
  var hasFailed: Bool { connection.withLock { _ in isLogToStay.load(ordering: .acquiring) } }
}
