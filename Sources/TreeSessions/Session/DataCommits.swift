import TreeDomain

/// The commits of a tree that changed its data.
///
/// Each of them adds one to the revision of every session.
final class DataCommits {
  /// The number of all such commits.
  private(set) var count: UInt64
  /// The numbers of the newest commits, oldest first.
  private(set) var numbers: [Int]
  /// The memory of ``numbers`` in bytes.
  var byteCount: Int { numbers.capacity * MemoryLayout<Int>.stride }

  /// Makes a list with a number of commits, and the numbers of the newest ones.
  init(count: UInt64 = 0, numbers: [Int] = []) {
    self.count = count
    self.numbers = numbers
  }

  /// Creates an independent copy.
  convenience init(_ other: DataCommits) {
    self.init(count: other.count, numbers: other.numbers)
  }

  /// Appends a commit.
  ///
  /// - Parameters:
  ///   - number: The number of the commit.
  ///   - limit: The number of earlier commits whose numbers are kept.
  func append(_ number: Int, keeping limit: Int) {
    count += 1
    numbers.append(number)
    // Removing many at a time takes O(1) on average.
    if numbers.count > 2 * (limit + 1) { numbers.removeFirst(numbers.count - limit - 1) }
  }

  /// Continues at a count.
  ///
  /// The numbers of earlier commits are removed.
  func goOn(at count: UInt64) {
    self.count = count
    numbers = []
  }

  /// Returns the number of a commit, given its ordinal from 1; nil if it is no longer known.
  func number(_ ordinal: UInt64) -> Int? {
    let back = Int(count - ordinal)
    return back < numbers.count ? numbers[numbers.count - 1 - back] : nil
  }
}
