internal import Synchronization
internal import TreeDomain

/// Copies the log into the file while others write to it, and nobody waits for that
/// (sqlite.org/wal.html, section 2.1).
///
/// Changes that are written meanwhile are not in the copy. Once they are few, the writer copies
/// them, and the log begins anew. Otherwise it would grow for as long as somebody writes.
///
/// SQLite syncs the file only if all of the log is copied. Where somebody has written meanwhile, or
/// reads an older state, it takes a part for copied that may not be on disk, and leaves the sync to
/// the next copy; if that sync fails, the part is not copied again. So while anything may still be
/// written, all copies are made here, and each of them is synced.
///
/// A copy must not begin while another connection may begin the log anew: SQLite up to 3.51.2 takes
/// new pages for copied then, which corrupts the file (sqlite.org/wal.html, "The WAL-reset bug").
/// The log can begin anew only if all of it is copied. So a copy beside the writer is begun only if
/// pages were written since the last copy, and is dropped if the writer copies them first.
final class LogCopy: Sendable {
  private enum Phase: Int, AtomicRepresentable {
    /// No copy is asked for.
    case idle
    /// A thread is asked to copy.
    case begun
    /// A thread is asked to copy, and the writer did.
    case overtaken
    /// A thread copies.
    case copying
    /// The log is copied, except for what was written meanwhile.
    case made
  }

  /// A connection of its own, so that the writer does not wait for its lock.
  ///
  /// Its lock is held while any connection copies.
  private let connection: Mutex<SQLiteConnection>
  private let phase = Atomic(Phase.idle)
  /// The number of pages of the log when the last copy was made.
  private let length = Atomic(0)
  /// True if the disk did not take what was copied, so that only the log has it.
  private let isLogToStay = Atomic(false)

  /// Opens a connection for copies.
  ///
  /// - Parameter path: The path of the file, which has its tables.
  /// - Throws: ``StorageError``.
  init(of path: String) throws(StorageError) {
    var connection = try SQLiteConnection(path, .writing)
    try connection.keepForGood()
    // SQLite opens the log at the first read.
    _ = try connection.isNew()
    self.connection = Mutex(connection)
  }

  // A copy under way keeps this object until it ends, after the storage is gone.
  deinit { if hasFailed { connection.withLock { $0.leaveLog() } } }

  /// Checks that the log may begin anew.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if SQLite takes for copied what the disk may not have.
  ///   A second sync would succeed whatever became of the first (fsync(2), EIO), and the log would
  ///   begin anew. The next start copies all of it again.
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

  /// Begins a copy beside the writer, unless one is under way.
  ///
  /// The caller has another thread call ``make()``.
  ///
  /// - Precondition: The caller holds the writer's lock, and pages were written since the last
  ///   copy.
  func begin() -> Bool {
    phase.compareExchange(expected: .idle, desired: .begun, ordering: .relaxed).exchanged
  }

  /// True while a copy beside the writer is asked for or being made.
  var isUnderWay: Bool {
    switch phase.load(ordering: .acquiring) {
    case .begun, .copying: true
    case .idle, .overtaken, .made: false
    }
  }

  /// Copies the log beside the writer, unless the writer did so since ``begin()``.
  func make() {
    connection.withLock { connection in
      guard exchange(.begun, for: .copying) else {
        return phase.store(.idle, ordering: .releasing)
      }
      // A copy that fails is tried again after as many pages were written once more.
      guard let copied = copy(by: &connection) else {
        return phase.store(.idle, ordering: .releasing)
      }
      length.store(copied, ordering: .relaxed)
      phase.store(.made, ordering: .releasing)
    }
  }

  /// Copies the log by the writer's connection, unless a copy beside it is being made.
  ///
  /// - Precondition: The caller holds the writer's lock.
  func make(by writer: inout SQLiteConnection) {
    _ = connection.withLockIfAvailable { _ in
      overtake()
      _ = copy(by: &writer)
    }
  }

  /// Copies the log by the writer's connection and makes it empty.
  ///
  /// Waits for a copy under way.
  ///
  /// - Precondition: The caller holds the writer's lock, and nothing is written afterwards.
  func end(by writer: inout SQLiteConnection) {
    connection.withLock { _ in
      overtake()
      writer.waitForOthers(milliseconds: 200)
      try? writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// Copies the log and syncs the file.
  ///
  /// - Returns: The number of pages of the log; `nil` if they were not copied.
  private func copy(by connection: inout SQLiteConnection) -> Int? {
    guard let copied = try? connection.copyLog() else { return nil }
    if connection.syncFile() { return copied }
    isLogToStay.store(true, ordering: .releasing)
    return nil
  }

  /// Has a thread that is asked to copy, and has not begun to, do nothing.
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

  /// Returns the number of pages that the log had when a copy was made beside the writer; `nil` if
  /// none was made since the last call.
  func takeMade() -> Int? {
    exchange(.made, for: .idle) ? length.load(ordering: .relaxed) : nil
  }

  /// True if the log must stay as it is.
  ///
  /// Waits for a copy that is being made.
  var hasFailed: Bool { connection.withLock { _ in isLogToStay.load(ordering: .acquiring) } }
}
