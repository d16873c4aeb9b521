import CLinux

/// How the memory that the process let go of gets back to the system.
public enum SystemMemory {
  /// Blocks of so many bytes are asked of the system one by one, and given back one by one.
  private static let largeBlock: Int32 = 1 << 20
  /// So much unused memory at the end of the heap is kept for what comes next.
  private static let keptAtEnd: Int32 = 4 << 20

  /// Has large blocks given back as soon as they are let go of.
  ///
  /// Left to itself the allocator takes the freeing of a large block for a sign that such blocks
  /// come and go, and puts the next ones, up to 32 MiB, among the others, where they leave holes.
  /// To be called once, before there are other threads.
  public static func giveBackLargeBlocks() {
    _ = mallopt(M_MMAP_THRESHOLD, largeBlock)
    _ = mallopt(M_TRIM_THRESHOLD, keptAtEnd)
  }

  /// Gives back what lies unused between blocks that are in use.
  ///
  /// - Complexity: O(unused blocks); other threads that allocate may wait for a part of that.
  public static func giveBackHoles() { _ = malloc_trim(0) }
}
