/// A log of row insertions, in the order in which they happened, as long as no rows are deleted.
///
/// Each entry has the row index at the time of the insertion. The final indexes are computed as in
/// merge sort. When two sorted lists are merged, the insertions of the later list shift the rows of
/// the earlier one that follow them. So an insertion is cheap, and a query takes log *k* passes
/// over contiguous memory.
struct InsertionLog: Sendable {
  /// A run of inserted rows.
  struct Insertion: Equatable, Sendable {
    /// The index of the first row.
    var row: Int32
    /// The number of rows.
    var count: Int32

    /// The index after the last row.
    var end: Int32 { row &+ count }
  }

  private var entries: [Insertion] = []
  /// True if the entries are sorted by row and have final indexes.
  private var isInOrder = true

  var isEmpty: Bool { entries.isEmpty }

  /// Records an insertion of rows before the one at `row`.
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

  /// Sorts the entries, so that a later query is free.
  ///
  /// Sorted entries are also a valid log of insertions.
  ///
  /// - Complexity: O(*k* log *k*), or O(1) if they are sorted.
  mutating func sort() {
    if isInOrder { return }
    entries = inOrder()
    isInOrder = true
  }

  /// Returns the inserted rows with their final indexes, ascending.
  ///
  /// An insertion inside another one is merged into it.
  ///
  /// - Complexity: O(*k* log *k*), or O(1) if the entries are sorted.
  func inOrder() -> [Insertion] {
    if isInOrder { return entries }
    var source = entries
    var target = entries
    // The ends of the sorted lists.
    var ends = Array(1...entries.count)
    while ends.count > 1 {
      ends = Self.mergePairs(of: source.span, endingAt: ends, into: &target)
      swap(&source, &target)
    }
    source.removeLast(source.count - ends[0])
    return source
  }

  /// Merges each pair of neighbouring lists.
  ///
  /// - Returns: The ends of the merged lists.
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

  /// Merges two lists.
  ///
  /// The insertions of the second happened after those of the first.
  ///
  /// - Returns: The end of the merged list, which starts at `next`.
  private static func merge(
    _ source: Span<Insertion>,
    _ earlier: Range<Int>,
    _ later: Range<Int>,
    into target: inout MutableSpan<Insertion>,
    from next: Int
  ) -> Int {
    var next = next
    var place = later.lowerBound
    // The number of rows inserted by the entries of the later list so far.
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
