/// A wait that spins before it sleeps, for events that are likely within microseconds.
///
/// Falling asleep and waking takes tens of microseconds if processors sleep, too, and more in a
/// virtual machine. A wait therefore polls for a while, and yields the processor between polls. It
/// polls only if the last wait was short. If waits are long (a slow disk, a client that thinks),
/// only one poll is lost until a wait is short again.
struct BriefWait {
  /// The maximum time to poll, in nanoseconds; 0 if polling would take the only processor.
  private let limit: Int
  private var wasBrief = true

  /// - Parameters:
  ///   - microseconds: The maximum time to poll before sleeping; with 0, it never polls.
  ///   - processors: The number of available processors.
  init(microseconds: Int, processors: Int = Syscalls.processorCount()) {
    limit = processors > 1 ? microseconds * 1_000 : 0
  }

  /// Waits until a condition is true.
  ///
  /// - Parameters:
  ///   - now: Returns the monotonic time in nanoseconds.
  ///   - isOver: Polls the condition.
  ///   - sleep: Blocks until the condition is true.
  mutating func wait(
    now: () -> Int = Syscalls.monotonicNanoseconds,
    until isOver: () -> Bool,
    orAsleep sleep: () -> Void
  ) {
    guard limit > 0 else { return sleep() }
    let begin = now()
    while wasBrief {
      if isOver() { return }
      Syscalls.giveWay()
      wasBrief = now() - begin < limit
    }
    sleep()
    wasBrief = now() - begin < limit
  }
}
