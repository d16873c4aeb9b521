import CLinux
import HTTPServer

/// A mode of the allocator in which freed memory stays with the process.
enum KeptMemory {
  /// The maximum size of kept blocks, which is the largest that the allocator accepts.
  private static let largestKept: Int32 = 32 << 20

  /// Performs work while freed memory, large blocks included, stays with the process.
  ///
  /// Afterwards freed memory is returned to the system, as in the server.
  static func during<Value>(_ work: () -> Value) -> Value {
    _ = mallopt(M_MMAP_THRESHOLD, largestKept)
    _ = mallopt(M_TRIM_THRESHOLD, .max)
    defer {
      _ = SystemMemory()
      _ = malloc_trim(0)
    }
    return work()
  }
}
