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

  /// Reads the clocks.
  mutating func refresh() {
    let seconds = Syscalls.unixSeconds()
    let date = seconds == now.date.unixSeconds ? now.date : DateStamp(unixSeconds: seconds)
    now = Moment(nanoseconds: Syscalls.monotonicNanoseconds(), date: date)
  }
}
