/// How a thread waits for what is likely to come within microseconds.
///
/// To fall asleep and to be woken takes a thread tens of microseconds where processors sleep, too,
/// and in a virtual machine more than that. So it looks again and again for a while before it
/// sleeps, and lets others run between two looks. It does so only if the last time was brief: where
/// what it waits for takes longer (a slow disk, a client who thinks), one look too long is all that
/// is lost until a wait is brief again.
struct BriefWait {
  /// What counts as brief, in nanoseconds; 0 where a look again would keep from running what is
  /// waited for.
  private let limit: Int
  private var wasBrief = true

  /// - Parameters:
  ///   - microseconds: For how long at most to look before sleeping; 0: not at all.
  ///   - processors: How many there are to run on.
  init(microseconds: Int, processors: Int = Syscalls.processorCount()) {
    limit = processors > 1 ? microseconds * 1_000 : 0
  }

  /// Waits.
  ///
  /// - Parameters:
  ///   - now: Reads a clock, in nanoseconds.
  ///   - isOver: Looks whether the wait is over.
  ///   - sleep: Waits asleep until it is.
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
