/// The stacks of threads that run handlers, jobs and commits.
enum ThreadStack {
  /// The bytes of a stack: 8 MiB, and less where the process may have few addresses or little data,
  /// of which a stack takes all its bytes whether they are used or not.
  static let bytes: Int = {
    let limits = [Syscalls.maxAddressBytes(), Syscalls.maxDataBytes()].compactMap(\.self)
    guard let limit = limits.min() else { return mostBytes }
    return max(leastBytes, min(mostBytes, limit / 512 / pageBytes * pageBytes))
  }()

  private static let mostBytes = 8 << 20
  private static let leastBytes = 1 << 20
  private static let pageBytes = 1 << 16
}
