import Synchronization

/// Counters that one thread writes and any thread reads.
///
/// Relaxed ordering suffices, because the counters are independent. With a single writer, adding
/// is a load and a store instead of an atomic read-modify-write.
final class CounterBank: Sendable {
  /// A block of counters; a class, because an array cannot hold non-copyable values.
  private final class Page: Sendable {
    let counters = InlineArray<64, Atomic<Int>> { _ in Atomic(0) }
  }

  private let pages: [Page]

  /// Creates counters of value 0.
  init(count: Int) { pages = (0..<(count + 63) / 64).map { _ in Page() } }

  /// Returns the counter at an index.
  subscript(index: Int) -> Int {
    pages[index >> 6].counters[index & 63].load(ordering: .relaxed)
  }

  /// Adds to the counter at an index.
  ///
  /// Must always be called on the same thread.
  func add(_ amount: Int, at index: Int) {
    let page = pages[index >> 6]
    let sum = page.counters[index & 63].load(ordering: .relaxed) &+ amount
    page.counters[index & 63].store(sum, ordering: .relaxed)
  }
}
