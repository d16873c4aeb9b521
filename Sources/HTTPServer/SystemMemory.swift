import CLinux

/// Settings of the allocator that return freed memory to the system.
///
/// There must be one in a process, created before other threads.
package struct SystemMemory: ~Copyable {
  /// The size in bytes from which blocks are allocated from the system and returned individually.
  private static let largeBlock: Int32 = 1 << 20
  /// The unused memory at the end of the heap that is kept, in bytes.
  private static let keptAtEnd: Int32 = 4 << 20
  /// The increase of unused memory that makes returning it worthwhile, in bytes.
  private static let worthGivingBack = 16 << 20

  /// The addresses that the allocator reserves at once for some threads.
  static let arenaBytes = 64 << 20

  /// The maximum number of these reservations if addresses are limited.
  ///
  /// Nil for the allocator's default, eight for each processor.
  static var maxArenas: Int? {
    Syscalls.maxAddressBytes().map { max(1, min(8, $0 / 8 / arenaBytes)) }
  }

  /// The least unused memory since memory was last returned, in bytes.
  private var unused = 0

  /// Makes the allocator return large blocks to the system as soon as they are freed.
  ///
  /// By default glibc raises its threshold when a large block is freed. Blocks of up to 32 MiB then
  /// come from the heap, where they leave holes.
  package init() {
    _ = mallopt(M_MMAP_THRESHOLD, Self.largeBlock)
    _ = mallopt(M_TRIM_THRESHOLD, Self.keptAtEnd)
    if let arenas = Self.maxArenas { _ = mallopt(M_ARENA_MAX, Int32(arenas)) }
  }

  /// Returns unused memory between used blocks to the system, if it has grown much.
  ///
  /// Should be called periodically.
  ///
  /// - Complexity: O(unused blocks); other threads that allocate may wait for a part of it.
  package mutating func giveBackHoles() {
    let now = Int(mallinfo2().fordblks)
    unused = min(unused, now)
    guard now - unused > Self.worthGivingBack else { return }
    _ = malloc_trim(0)
    unused = now
  }
}
