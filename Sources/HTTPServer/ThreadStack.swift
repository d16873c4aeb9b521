/// The stacks of threads that run handlers, jobs and commits.
enum ThreadStack {
  /// The size of a stack in bytes: 8 MiB, or less if addresses or data of the process are limited.
  ///
  /// A stack counts for such a limit with its full size, used or not.
  static let bytes: Int = {
    let limits = [Syscalls.maxAddressBytes(), Syscalls.maxDataBytes()].compactMap(\.self)
    guard let limit = limits.min() else { return mostBytes }
    return max(leastBytes, min(mostBytes, limit / 512 / pageBytes * pageBytes))
  }()

  private static let mostBytes = 8 << 20
  private static let leastBytes = 1 << 20
  private static let pageBytes = 1 << 16
}
