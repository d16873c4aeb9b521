import HTTP

/// The clocks of the system.
package enum SystemClock {
  /// The seconds since the machine was started, time in suspension included.
  ///
  /// It cannot be set.
  package static var bootSeconds: Int { Syscalls.bootSeconds() }

  /// The milliseconds since the machine was started, by the same clock.
  package static var bootMilliseconds: Int { Syscalls.bootMilliseconds() }

  /// The wall clock's seconds since 1970, which can be set.
  package static var wallSeconds: Int { Syscalls.unixSeconds() }

  /// The processor time that the calling thread has used, in nanoseconds.
  package static var threadNanoseconds: Int { Syscalls.threadNanoseconds() }

  /// Blocks the calling thread for some milliseconds.
  package static func sleep(milliseconds: Int) { Syscalls.sleep(milliseconds: milliseconds) }
}

/// A clock that is read once in a loop iteration and formats the date once a second.
struct LoopClock {
  private(set) var now: Moment

  init() {
    now = Moment(
      nanoseconds: Syscalls.monotonicNanoseconds(),
      date: DateStamp(unixSeconds: Syscalls.unixSeconds())
    )
  }

  /// Returns a clock with the current time.
  func refreshed() -> LoopClock {
    let seconds = Syscalls.unixSeconds()
    let date = seconds == now.date.unixSeconds ? now.date : DateStamp(unixSeconds: seconds)
    var clock = self
    clock.now = Moment(nanoseconds: Syscalls.monotonicNanoseconds(), date: date)
    return clock
  }
}

/// The time that an event loop spends on one kind of deferrable work before it checks for events.
///
/// It is short for a client, and long compared with an iteration of the loop. Work that has begun
/// is completed.
struct TimeSlice {
  private static let nanoseconds = 250_000
  private let end = Syscalls.monotonicNanoseconds() + Self.nanoseconds

  var isOver: Bool { Syscalls.monotonicNanoseconds() >= end }
}
