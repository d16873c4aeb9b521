/// The time that an event loop spends on one kind of deferrable work before it checks for events.
///
/// It is short for a client, and long compared with an iteration of the loop. Work that has begun
/// is completed.
struct TimeSlice {
  private static let nanoseconds = 250_000
  private let end = Syscalls.monotonicNanoseconds() + Self.nanoseconds

  var isOver: Bool { Syscalls.monotonicNanoseconds() >= end }
}
