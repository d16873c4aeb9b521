/// What a commit left behind.
protocol CommitEntry: Sendable {
  /// The commit's number.
  var number: Int { get }
  /// How much it is to remember, in the unit of whoever bounds it.
  var weight: Int { get }
  /// The bytes of what it refers to.
  var byteCount: Int { get }
}

/// What commits left behind, by ascending numbers; the oldest goes first.
///
/// The entries lie in blocks, so that a change beside a copy of the log copies a block, and not all
/// that the tree remembers.
struct CommitLog<Entry: CommitEntry>: Sendable {
  /// Full ones, and behind them the one that grows.
  ///
  /// Those before `start` are gone; their blocks are given up once they are half of all.
  private var blocks: [[Entry?]] = []
  private var start = 0
  private var end = 0
  /// The weights of all entries.
  private(set) var weight = 0
  /// The bytes of what the entries refer to.
  private var referredBytes = 0

  /// The bytes that all entries take.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    let full = Self.blockCount * MemoryLayout<Entry?>.stride + heapObjectBytes
    let last = blocks.last?.byteCount ?? 0
    return referredBytes + blocks.byteCount + max(0, blocks.count - 1) * full + last
  }

  /// The entries of a block.
  private static var blockCount: Int { 32 }

  var count: Int { end - start }
  var last: Entry? { self[count - 1] }
  /// Read where it lies, as a copy of the entry would cost more than all else.
  var firstNumber: Int? {
    guard start < end else { return nil }
    let block = blocks[start / Self.blockCount]
    return block.span[start % Self.blockCount]?.number
  }

  /// The entry with so many before it; nil at the end.
  subscript(place: Int) -> Entry? { (0..<count).contains(place) ? entry(start + place) : nil }

  private func entry(_ place: Int) -> Entry? {
    blocks[place / Self.blockCount][place % Self.blockCount]
  }

  /// - Precondition: the entry's number is above those here.
  mutating func append(_ entry: consuming Entry) {
    weight += entry.weight
    referredBytes += entry.byteCount
    if end == blocks.count * Self.blockCount { blocks.append([]) }
    blocks[blocks.count - 1].append(entry)
    end += 1
  }

  /// Forgets the oldest entry.
  ///
  /// - Returns: what it was; nil where there was none.
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

  /// Gives up the blocks in which all entries are gone.
  private mutating func giveUpBlocks() {
    let gone = start / Self.blockCount
    blocks.removeFirst(gone)
    start -= gone * Self.blockCount
    end -= gone * Self.blockCount
  }

  /// Changes each entry, oldest first, but not its number or weight.
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

  /// The entries of commits after one, oldest first.
  ///
  /// - Complexity: O(log *n*), and O(1) an entry.
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
