internal import Synchronization
internal import TreeDomain

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

/// An instance with a lease, as the database knows it.
///
/// The lease is by the clock of the database, and the instance counts its own time from before it
/// asked. So it knows before any other instance that the lease is over, whatever the clocks show.
final class PostgreSQLMember: Sendable {
  /// The number of the instance in the database.
  let id: Int
  private let isOver = Atomic(false)
  private let isAtEnd = Atomic(false)
  /// The monotonic time in milliseconds up to which the lease surely lasts.
  private let end: Atomic<Int>

  /// Makes an instance whose lease surely lasts up to a monotonic time.
  init(_ id: Int, until end: Int) {
    self.id = id
    self.end = Atomic(end)
  }

  /// True after the database has forgotten the instance; that stays so.
  var isLost: Bool { isOver.load(ordering: .acquiring) }

  /// True if the process is about to give everything up.
  var isEnding: Bool { isAtEnd.load(ordering: .acquiring) }

  /// True as long as surely no other instance acquires what this one owns.
  var isValid: Bool { !isLost && PostgreSQLLease.now < end.load(ordering: .acquiring) }

  /// Returns true if the lease may have ended by the clock of the database, a time ago.
  func isOverdue(byMilliseconds time: Int) -> Bool {
    PostgreSQLLease.now > end.load(ordering: .acquiring) + time
  }

  /// Notes that the lease surely lasts up to a monotonic time.
  func extend(until time: Int) { end.store(time, ordering: .releasing) }

  /// Notes that the database has forgotten the instance.
  func lose() { isOver.store(true, ordering: .releasing) }

  /// Notes that the process gives everything up, so that nobody waits for the database any more.
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
  /// The socket on which is committed.
  private let socket = Mutex<PostgreSQLSocket?>(nil)

  init(_ slot: Int, term: Int, _ member: PostgreSQLMember) {
    self.slot = slot
    self.term = term
    self.member = member
  }

  /// True after another instance has acquired the slot; that stays so.
  var isLost: Bool { isOver.load(ordering: .acquiring) || member.isLost }

  /// True if the slot is about to be given up.
  var isEnding: Bool { isAtEnd.load(ordering: .acquiring) || member.isEnding }

  /// True as long as surely no other instance has acquired the slot.
  var isValid: Bool { !isLost && member.isValid }

  /// Notes that another instance has acquired the slot, or the database lacks what was committed.
  func lose() { isOver.store(true, ordering: .releasing) }

  /// Notes that the slot is given up.
  ///
  /// Returns false if that was noted before.
  func prepareEnd() -> Bool { !isAtEnd.exchange(true, ordering: .acquiringAndReleasing) }

  /// Sets the socket on which is committed.
  func use(_ socket: PostgreSQLSocket) { self.socket.withLock { $0 = socket } }

  /// Has nobody wait for the answer to a commit any more; what became of it is unknown then.
  func interrupt() { socket.withLock { $0 }?.shutDown() }

  static let lostError = StorageError.failed(
    "another instance has taken over the database; nothing is written by this one any more"
  )
}
