/// An entry of a commit log.
protocol CommitEntry: Sendable {
  /// The commit's number.
  var number: Int { get }
  /// The amount that it remembers, in the unit of the caller's limit.
  var weight: Int { get }
  /// The size of the memory that it refers to, in bytes.
  var byteCount: Int { get }
}

/// A log of entries by ascending commit number, from which the oldest are removed.
///
/// Entries are stored in blocks. So a change of a log that has a copy copies one block, not the
/// whole log.
struct CommitLog<Entry: CommitEntry>: Sendable {
  /// The full blocks, and the last one, which grows.
  ///
  /// Entries before `start` are nil. Their blocks are freed once they are half of all entries.
  private var blocks: [[Entry?]] = []
  private var start = 0
  private var end = 0
  /// The sum of all entries' weights.
  private(set) var weight = 0
  /// The size of the memory that entries refer to, in bytes.
  private var referredBytes = 0

  /// The size of the log in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    let full = Self.blockCount * MemoryLayout<Entry?>.stride + heapObjectBytes
    let last = blocks.last?.byteCount ?? 0
    return referredBytes + blocks.byteCount + max(0, blocks.count - 1) * full + last
  }

  /// The number of entries in a block.
  private static var blockCount: Int { 32 }

  var count: Int { end - start }
  var last: Entry? { self[count - 1] }
  /// The number of the oldest entry, read in place because a copy of an entry is expensive.
  var firstNumber: Int? {
    guard start < end else { return nil }
    let block = blocks[start / Self.blockCount]
    return block.span[start % Self.blockCount]?.number
  }

  /// The entry at an index, counted from the oldest; nil outside the log.
  subscript(place: Int) -> Entry? { (0..<count).contains(place) ? entry(start + place) : nil }

  private func entry(_ place: Int) -> Entry? {
    blocks[place / Self.blockCount][place % Self.blockCount]
  }

  /// Appends an entry.
  ///
  /// - Precondition: Its number is above that of the last entry.
  mutating func append(_ entry: consuming Entry) {
    weight += entry.weight
    referredBytes += entry.byteCount
    if end == blocks.count * Self.blockCount { blocks.append([]) }
    blocks[blocks.count - 1].append(entry)
    end += 1
  }

  /// Removes the oldest entry.
  ///
  /// - Returns: The entry, or nil if the log is empty.
  /// - Complexity: O(1) amortised.
  @discardableResult
  mutating func removeFirst() -> Entry? {
    guard start < end else { return nil }
    let (block, place) = start.quotientAndRemainder(dividingBy: Self.blockCount)
    guard let first = blocks[block][place].take() else { return nil }
    weight -= first.weight
    referredBytes -= first.byteCount
    start += 1
    if start * 2 >= end, start >= Self.blockCount { giveUpBlocks() }
    if start == end { (blocks, start, end) = ([], 0, 0) }
    return first
  }

  /// Frees the blocks whose entries were all removed.
  private mutating func giveUpBlocks() {
    let gone = start / Self.blockCount
    blocks.removeFirst(gone)
    start -= gone * Self.blockCount
    end -= gone * Self.blockCount
  }

  /// Changes each entry, oldest first.
  ///
  /// The closure must not change the number or the weight of an entry.
  ///
  /// - Complexity: O(*n*).
  mutating func updateEach(_ body: (inout Entry) -> Void) {
    for place in start..<end {
      let (block, place) = place.quotientAndRemainder(dividingBy: Self.blockCount)
      guard var entry = blocks[block][place].take() else { continue }
      referredBytes -= entry.byteCount
      body(&entry)
      referredBytes += entry.byteCount
      blocks[block][place] = entry
    }
  }

  /// Returns the entries with a number above the given one, oldest first.
  ///
  /// - Complexity: O(log *n*), and O(1) for each entry.
  func entries(after number: Int) -> some Sequence<Entry> {
    var low = start
    var high = end
    while low < high {
      let middle = (low + high) / 2
      if entry(middle)?.number ?? 0 > number { high = middle } else { low = middle + 1 }
    }
    return (low..<end).lazy.compactMap { entry($0) }
  }
}
