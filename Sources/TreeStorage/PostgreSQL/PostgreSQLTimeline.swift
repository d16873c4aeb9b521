internal import Synchronization
internal import TreeDomain

/// The highest timeline that a server of a database has had.
///
/// A promoted standby begins a timeline. So a server on an earlier one is a former primary, which
/// lacks later commits (postgresql.org/docs/15/continuous-archiving.html, 26.3.5).
final class PostgreSQLTimeline: Sendable {
  private let highest = Atomic(0)

  /// The query for a server's timeline.
  ///
  /// A standby answers null.
  static let question = """
    SELECT CASE WHEN NOT pg_is_in_recovery()
    THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int::bigint END
    """

  /// Returns true if a server of a later timeline has been seen.
  func isOver(_ timeline: Int) -> Bool {
    timeline > 0 && timeline < highest.load(ordering: .acquiring)
  }

  /// Records the timeline of a server.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if a server of a later one has been seen.
  func check(_ timeline: Int) throws(StorageError) {
    let known = highest.max(timeline, ordering: .acquiringAndReleasing).oldValue
    guard timeline < known else { return }
    throw .failed(
      """
      the server is on timeline \(timeline), but another one has been on \(known): it is a former \
      primary; stop it, or make it a standby
      """
    )
  }
}
