import TreeDomain

/// Which of a tree's commits changed its data: those that all its sessions count.
final class DataCommits {
  /// How many there were.
  private(set) var count: UInt64
  /// The numbers of the newest, oldest first.
  private(set) var numbers: [Int]

  /// So many commits, of which the newest have these numbers.
  init(count: UInt64 = 0, numbers: [Int] = []) {
    self.count = count
    self.numbers = numbers
  }

  /// Creates a copy that counts for itself.
  convenience init(_ other: DataCommits) {
    self.init(count: other.count, numbers: other.numbers)
  }

  /// Counts a commit.
  ///
  /// - Parameters:
  ///   - number: Its number.
  ///   - limit: How many before it stay known.
  func append(_ number: Int, keeping limit: Int) {
    count += 1
    numbers.append(number)
    // Dropping half of them at a time makes it O(1) on average.
    if numbers.count > 2 * (limit + 1) { numbers.removeFirst(numbers.count - limit - 1) }
  }

  /// Continues at a number of commits; those before it are not known any more.
  func goOn(at count: UInt64) {
    self.count = count
    numbers = []
  }

  /// The number of one of them, the first being the first; nil where it is not known any more.
  func number(_ ordinal: UInt64) -> Int? {
    let back = Int(count - ordinal)
    return back < numbers.count ? numbers[numbers.count - 1 - back] : nil
  }
}
