import HTTP

/// Reads the clocks once a turn of the loop and renders the date once a second.
struct LoopClock {
  private(set) var now: Moment

  init() {
    now = Moment(
      nanoseconds: Syscalls.monotonicNanoseconds(),
      date: DateStamp(unixSeconds: Syscalls.unixSeconds())
    )
  }

  /// What the clocks show now.
  func refreshed() -> LoopClock {
    let seconds = Syscalls.unixSeconds()
    let date = seconds == now.date.unixSeconds ? now.date : DateStamp(unixSeconds: seconds)
    var clock = self
    clock.now = Moment(nanoseconds: Syscalls.monotonicNanoseconds(), date: date)
    return clock
  }
}
