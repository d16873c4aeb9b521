import Synchronization

/// Numbers that one thread adds to and any thread reads.
///
/// Relaxed ordering suffices: each number stands for itself. As nobody else writes, adding is a
/// load and a store, not an exchange with other processors.
final class CounterBank: Sendable {
  /// So many of the numbers; an object each, as an array cannot hold what is not copied.
  private final class Page: Sendable {
    let counters = InlineArray<64, Atomic<Int>> { _ in Atomic(0) }
  }

  private let pages: [Page]

  /// So many numbers, all 0.
  init(count: Int) { pages = (0..<(count + 63) / 64).map { _ in Page() } }

  /// The number at an index.
  subscript(index: Int) -> Int {
    pages[index >> 6].counters[index & 63].load(ordering: .relaxed)
  }

  /// Adds to the number at an index.
  ///
  /// On one thread only.
  func add(_ amount: Int, at index: Int) {
    let page = pages[index >> 6]
    let sum = page.counters[index & 63].load(ordering: .relaxed) &+ amount
    page.counters[index & 63].store(sum, ordering: .relaxed)
  }
}
