import CLinux
import HTTPServer

/// The allocator as a program has it that is to work in memory it has touched before.
enum KeptMemory {
  /// Blocks of up to so many bytes are kept, which is the most the allocator knows.
  private static let largestKept: Int32 = 32 << 20

  /// Does some work while what is let go of stays with the process, large blocks among it; after it
  /// they go back to the system as they do in the server.
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
