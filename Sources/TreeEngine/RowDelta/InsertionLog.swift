/// Rows that came while none went, noted in the order of their coming.
///
/// Each entry is counted in the rows of its moment. Where all of them are in the end is found as in
/// merge sort: of two lists, each in order and counted in the rows right after it, the second one's
/// rows push down those of the first that stand behind them. So an insertion costs next to nothing
/// when it comes, and a pass over flat memory for each of log *k* levels when somebody asks.
struct InsertionLog: Sendable {
  /// Rows that came side by side.
  struct Insertion: Equatable, Sendable {
    /// The first of them.
    var row: Int32
    /// How many they are.
    var count: Int32

    /// The row behind the last of them.
    var end: Int32 { row &+ count }
  }

  private var entries: [Insertion] = []
  /// The entries stand in the order of their rows, counted as they are now.
  private var isInOrder = true

  var isEmpty: Bool { entries.isEmpty }

  /// Takes note of rows that came before the one at `row`.
  ///
  /// - Complexity: O(1), amortised.
  mutating func append(row: Int32, count: Int32) {
    guard let last = entries.last, (last.row...last.end).contains(row) else {
      entries.append(Insertion(row: row, count: count))
      isInOrder = entries.count == 1
      return
    }
    entries[entries.count - 1].count += count
  }

  /// Puts the entries in order, so that to ask for that costs nothing.
  ///
  /// In that order, too, they can have come one after the other.
  ///
  /// - Complexity: O(*k* log *k*); O(1) where they are in order.
  mutating func sort() {
    if isInOrder { return }
    entries = inOrder()
    isInOrder = true
  }

  /// The rows that came, as they stand now: ascending, those that were put among others joined to
  /// them.
  ///
  /// - Complexity: O(*k* log *k*); O(1) where they are in order.
  func inOrder() -> [Insertion] {
    if isInOrder { return entries }
    var source = entries
    var target = entries
    // Where the lists end that are in order each.
    var ends = Array(1...entries.count)
    while ends.count > 1 {
      ends = Self.mergePairs(of: source.span, endingAt: ends, into: &target)
      swap(&source, &target)
    }
    source.removeLast(source.count - ends[0])
    return source
  }

  /// Merges each list with the one behind it.
  ///
  /// - Returns: where the merged ones end.
  private static func mergePairs(
    of source: Span<Insertion>,
    endingAt ends: [Int],
    into target: inout [Insertion]
  ) -> [Int] {
    var merged: [Int] = []
    merged.reserveCapacity(ends.count / 2 + 1)
    var written = target.mutableSpan
    var start = 0
    var next = 0
    for place in stride(from: 0, to: ends.count, by: 2) {
      let middle = ends[place]
      let end = place + 1 < ends.count ? ends[place + 1] : middle
      next = merge(source, start..<middle, middle..<end, into: &written, from: next)
      merged.append(next)
      start = end
    }
    return merged
  }

  /// Merges two lists, the second one's insertions having come after all of the first.
  ///
  /// - Returns: where the merged list, which starts at `next`, ends.
  private static func merge(
    _ source: Span<Insertion>,
    _ earlier: Range<Int>,
    _ later: Range<Int>,
    into target: inout MutableSpan<Insertion>,
    from next: Int
  ) -> Int {
    var next = next
    var place = later.lowerBound
    // Rows that the later ones have put in so far.
    var pushed: Int32 = 0
    for former in earlier {
      var insertion = source[former]
      while place < later.upperBound, source[place].row &- pushed <= insertion.row {
        target[next] = source[place]
        next += 1
        pushed &+= source[place].count
        place += 1
      }
      let end = insertion.end
      insertion.row &+= pushed
      while place < later.upperBound, source[place].row &- pushed < end {
        insertion.count &+= source[place].count
        pushed &+= source[place].count
        place += 1
      }
      target[next] = insertion
      next += 1
    }
    while place < later.upperBound {
      target[next] = source[place]
      next += 1
      place += 1
    }
    return next
  }
}
