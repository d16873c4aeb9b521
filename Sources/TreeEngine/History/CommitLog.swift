/// What a commit left behind.
protocol CommitEntry: Sendable {
  /// The commit's number.
  var number: Int { get }
  /// How much it is to remember, in the unit of whoever bounds it.
  var weight: Int { get }
}

/// What commits left behind, by ascending numbers; the oldest goes first.
struct CommitLog<Entry: CommitEntry>: Sendable {
  // Those before `start` are gone; their places are given up once they are half of all.
  private var entries: [Entry?] = []
  private var start = 0
  /// The weights of all entries.
  private(set) var weight = 0

  var count: Int { entries.count - start }
  var last: Entry? { self[count - 1] }
  /// Read where it lies, as a copy of the entry would cost more than all else.
  var firstNumber: Int? { start < entries.count ? entries.span[start]?.number : nil }

  /// The entry with so many before it; nil at the end.
  subscript(place: Int) -> Entry? {
    (0..<count).contains(place) ? entries[start + place] : nil
  }

  /// - Precondition: the entry's number is above those here.
  mutating func append(_ entry: consuming Entry) {
    weight += entry.weight
    entries.append(entry)
  }

  /// Forgets the oldest entry.
  ///
  /// - Returns: what it was; nil where there was none.
  /// - Complexity: O(1) amortised.
  @discardableResult
  mutating func removeFirst() -> Entry? {
    guard start < entries.count, let first = entries[start].take() else { return nil }
    weight -= first.weight
    start += 1
    if start * 2 >= entries.count {
      entries.removeFirst(start)
      start = 0
    }
    return first
  }

  /// Changes each entry, oldest first, but not its number or weight.
  ///
  /// - Complexity: O(*n*).
  mutating func updateEach(_ body: (inout Entry) -> Void) {
    entries.removeFirst(start)
    start = 0
    for place in entries.indices {
      guard var entry = entries[place].take() else { continue }
      body(&entry)
      entries[place] = entry
    }
  }

  /// The entries of commits after one, oldest first.
  ///
  /// - Complexity: O(log *n*), and O(1) an entry.
  func entries(after number: Int) -> some Sequence<Entry> {
    var low = start
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle]?.number ?? 0 > number { high = middle } else { low = middle + 1 }
    }
    return entries[low...].lazy.compactMap(\.self)
  }
}
