import HTTP

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
