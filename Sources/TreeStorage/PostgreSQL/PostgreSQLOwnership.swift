internal import CLinux
internal import Glibc
internal import Synchronization
internal import TreeDomain

/// The lease of an instance on the database, and the thread that extends it.
///
/// The lease is by the clock of the database, and the instance counts its own time from before it
/// asked. So it knows before any other instance that the lease is over, whatever the clocks show.
final class PostgreSQLOwnership: Sendable {
  let lease: PostgreSQLLease
  private let isOver = Atomic(false)
  private let isAtEnd = Atomic(false)
  /// The monotonic time in milliseconds up to which the lease surely lasts.
  private let end: Atomic<Int>
  private let waker = eventfd(0, Int32(EFD_CLOEXEC))

  /// Begins with a lease that was asked for at a monotonic time.
  init(_ lease: PostgreSQLLease, askedAt start: Int) {
    self.lease = lease
    end = Atomic(start + lease.ownMilliseconds)
  }

  deinit { close(waker) }

  /// True after another instance has taken over; that stays so.
  var isLost: Bool { isOver.load(ordering: .acquiring) }

  /// True if the process is about to give the database up.
  var isEnding: Bool { isAtEnd.load(ordering: .acquiring) }

  /// True as long as surely no other instance owns the database.
  var isValid: Bool { !isLost && PostgreSQLLease.now < end.load(ordering: .acquiring) }

  /// Notes that another instance has taken over.
  func lose() { isOver.store(true, ordering: .releasing) }

  /// Ends the thread, and any waiting for the database.
  func stop() {
    isAtEnd.store(true, ordering: .releasing)
    eventfd_write(waker, 1)
  }

  static let lostError = StorageError.failed(
    "another instance has taken over the database; nothing is written by this one any more"
  )

  /// Extends the lease again and again, on a thread of its own, until it is lost or given up.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if there is no thread.
  func start(_ address: PostgreSQLAddress, instance: Int) throws(StorageError) {
    try PostgreSQLSystem.startThread { [self] in
      var connection: PostgreSQLConnection?
      while !isEnding, !isLost {
        let start = PostgreSQLLease.now
        if connection?.look() != true { connection = try? PostgreSQLConnection(address) }
        switch extend(connection, instance) {
        case true: end.store(start + lease.ownMilliseconds, ordering: .releasing)
        case false: lose()
        case nil: connection = nil
        }
        PostgreSQLSystem.wait(for: waker, milliseconds: lease.milliseconds / 5)
      }
    }
  }

  /// Returns true if the lease was extended, false if it is another's; nil if neither is known.
  private func extend(_ connection: PostgreSQLConnection?, _ instance: Int) -> Bool? {
    guard let connection else { return nil }
    _ = connection.takeWarnings()
    let result = try? connection.query(
      """
      UPDATE instances SET until = clock_timestamp() + $2::bigint * interval '1 millisecond'
      WHERE id = $1::bigint RETURNING id
      """,
      .integer(instance),
      .integer(lease.milliseconds)
    )
    guard let result, connection.takeWarnings() == 0 else { return nil }
    return result.rowCount == 1
  }
}

/// The times of a lease.
struct PostgreSQLLease: Sendable {
  /// The length in milliseconds.
  ///
  /// A fifth of it is the time between two extensions.
  let milliseconds: Int

  /// The part of it that the instance itself trusts, from before it asked.
  var ownMilliseconds: Int { milliseconds * 4 / 5 }

  /// The monotonic time in milliseconds.
  static var now: Int { PostgreSQLSystem.monotonicMilliseconds }
}
