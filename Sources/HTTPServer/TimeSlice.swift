/// How long a loop is at one kind of work that can wait, before it looks who has come meanwhile.
///
/// Short beside what a client notices, long beside what a turn of the loop costs. A piece of work
/// that has begun is finished.
struct TimeSlice {
  private static let nanoseconds = 250_000
  private let end = Syscalls.monotonicNanoseconds() + Self.nanoseconds

  var isOver: Bool { Syscalls.monotonicNanoseconds() >= end }
}
