import CLinux

/// How memory that the process let go of gets back to the system.
///
/// There is one for a process, made before there are other threads.
public struct SystemMemory: ~Copyable {
  /// Blocks of so many bytes are asked of the system one by one, and given back one by one.
  private static let largeBlock: Int32 = 1 << 20
  /// So much unused memory at the end of the heap is kept for what comes next.
  private static let keptAtEnd: Int32 = 4 << 20
  /// So much more has to lie unused before it is given back.
  private static let worthGivingBack = 16 << 20

  /// What lay unused when it was last given back, or less.
  private var unused = 0

  /// Has large blocks given back as soon as they are let go of.
  ///
  /// Left to itself the allocator takes the freeing of a large block for a sign that such blocks
  /// come and go, and puts the next ones, up to 32 MiB, among the others, where they leave holes.
  public init() {
    _ = mallopt(M_MMAP_THRESHOLD, Self.largeBlock)
    _ = mallopt(M_TRIM_THRESHOLD, Self.keptAtEnd)
  }

  /// Gives back what lies unused between blocks that are in use, if that has become much more.
  ///
  /// To be called now and then.
  ///
  /// - Complexity: O(unused blocks); other threads that allocate may wait for a part of that.
  public mutating func giveBackHoles() {
    let now = Int(mallinfo2().fordblks)
    unused = min(unused, now)
    guard now - unused > Self.worthGivingBack else { return }
    _ = malloc_trim(0)
    unused = now
  }
}
