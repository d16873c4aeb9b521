internal import Synchronization
internal import TreeDomain

/// The times of a lease.
struct PostgreSQLLease: Sendable {
  /// The length in milliseconds.
  ///
  /// A fifth of it is the time between two extensions.
  let milliseconds: Int

  /// The time for which the instance itself trusts the lease, from the moment before its request.
  var ownMilliseconds: Int { milliseconds * 4 / 5 }

  /// The monotonic time in milliseconds.
  static var now: Int { PostgreSQLSystem.monotonicMilliseconds }
}

/// An instance that is registered in the database, and its lease.
///
/// The lease in the database counts from when the request arrived there. The instance counts a
/// shorter time, by a monotonic clock, from before it sent the request. So it finds its lease over
/// before any other instance does, whatever the clocks show.
final class PostgreSQLMember: Sendable {
  /// The number of the instance in the database.
  let id: Int
  private let isOver = Atomic(false)
  private let isAtEnd = Atomic(false)
  /// The monotonic time in milliseconds until which the instance trusts the lease.
  private let end: Atomic<Int>

  /// Creates an instance that trusts its lease until a monotonic time.
  init(_ id: Int, until end: Int) {
    self.id = id
    self.end = Atomic(end)
  }

  /// True once the database has removed the instance.
  ///
  /// It never becomes false again.
  var isLost: Bool { isOver.load(ordering: .acquiring) }

  /// True if the process is stopping.
  var isEnding: Bool { isAtEnd.load(ordering: .acquiring) }

  /// True while the lease lasts, so that no other instance can acquire this one's slots.
  var isValid: Bool { !isLost && PostgreSQLLease.now < end.load(ordering: .acquiring) }

  /// Returns true if the trusted time of the lease ended more than `time` milliseconds ago.
  func isOverdue(byMilliseconds time: Int) -> Bool {
    PostgreSQLLease.now > end.load(ordering: .acquiring) + time
  }

  /// Records that the lease can be trusted until a monotonic time.
  func extend(until time: Int) { end.store(time, ordering: .releasing) }

  /// Records that the database has removed the instance.
  func lose() { isOver.store(true, ordering: .releasing) }

  /// Records that the process is stopping, so that no thread waits for the database any more.
  func prepareEnd() { isAtEnd.store(true, ordering: .releasing) }
}

/// A slot that an instance has acquired.
final class PostgreSQLHold: Sendable {
  /// The number of the slot.
  let slot: Int
  /// The number of this acquisition of the slot.
  let term: Int
  let member: PostgreSQLMember
  private let isOver = Atomic(false)
  private let isAtEnd = Atomic(false)
  /// The socket of the connection that commits.
  private let socket = Mutex<PostgreSQLSocket?>(nil)

  init(_ slot: Int, term: Int, _ member: PostgreSQLMember) {
    self.slot = slot
    self.term = term
    self.member = member
  }

  /// True once nothing may be committed to the slot: it was acquired by another instance, or
  /// released, or the database lacks commits.
  ///
  /// It never becomes false again.
  var isLost: Bool { isOver.load(ordering: .acquiring) || member.isLost }

  /// True if the slot is being released.
  var isEnding: Bool { isAtEnd.load(ordering: .acquiring) || member.isEnding }

  /// True while no other instance can have acquired the slot.
  var isValid: Bool { !isLost && member.isValid }

  /// Records that nothing may be committed to the slot any more; see ``isLost``.
  func lose() { isOver.store(true, ordering: .releasing) }

  /// Records that the slot is being released.
  ///
  /// Returns false if it was recorded before.
  func prepareEnd() -> Bool { !isAtEnd.exchange(true, ordering: .acquiringAndReleasing) }

  /// Sets the socket of the connection that commits.
  func use(_ socket: PostgreSQLSocket) { self.socket.withLock { $0 = socket } }

  /// Shuts the socket down, so that no thread waits for the answer to a commit any more.
  ///
  /// The outcome of a running commit is unknown then.
  func interrupt() { socket.withLock { $0 }?.shutDown() }

  static let lostError = StorageError.failed(
    "another instance has taken over the database; nothing is written by this one any more"
  )
}
