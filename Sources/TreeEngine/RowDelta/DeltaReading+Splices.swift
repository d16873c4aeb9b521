// The effect of one or two splices, computed without a sequence of runs.
extension DeltaReading {
  /// Adds the stretches into which splices divide `rowCount` rows.
  ///
  /// - Returns: True if there is at most one splice, or a deletion followed by an insertion.
  ///   Otherwise nothing is added.
  mutating func read(_ splices: FewSplices<Width>, rowCount: Int32) -> Bool {
    guard let first = splices.first else {
      retain(rowCount, at: 0, 0, behind: 0)
      return true
    }
    guard let second = splices.second else {
      read(first, rowCount: rowCount)
      return true
    }
    guard first.isDeletion, !second.isDeletion else { return false }
    read(first, followedBy: second, rowCount: rowCount)
    return true
  }

  /// Adds the stretches of a single deletion or insertion.
  private mutating func read(_ splice: RowSplice<Width>, rowCount: Int32) {
    let (row, count) = (splice.row, splice.count)
    stretches.reserveCapacity(3)
    retain(row, at: 0, 0, behind: 0)
    if splice.isDeletion {
      delete(splice, newIndex: row, gap: row)
      retain(rowCount - row - count, at: row + count, row, behind: row)
    } else {
      insert(splice, index: row, gap: row)
      retain(rowCount - row, at: row, row + count, behind: row)
    }
  }

  /// Adds the stretches of a deletion followed by an insertion.
  private mutating func read(
    _ out: RowSplice<Width>,
    followedBy back: RowSplice<Width>,
    rowCount: Int32
  ) {
    let (from, to) = (out.row, back.row)
    stretches.reserveCapacity(4)
    if to < from {
      retain(to, at: 0, 0, behind: 0)
      insert(back, index: to, gap: to)
      retain(from - to, at: to, to + back.count, behind: to)
      delete(out, newIndex: from + back.count, gap: from)
    } else {
      retain(from, at: 0, 0, behind: 0)
      delete(out, newIndex: from, gap: from)
      retain(to - from, at: from + out.count, from, behind: from)
      insert(back, index: to + out.count, gap: to)
    }
    let last = max(from, to)
    let rest = rowCount - out.count - last
    retain(rest, at: last + out.count, last + back.count, behind: last)
  }

  private mutating func retain(
    _ count: Int32,
    at index: Int32,
    _ newIndex: Int32,
    behind gap: Int32
  ) {
    guard count > 0 else { return }
    stretches.append(Stretch(index: index, newIndex: newIndex, count: count, gap: gap))
  }

  private mutating func insert(_ splice: RowSplice<Width>, index: Int32, gap: Int32) {
    var stretch = Stretch(index: index, newIndex: splice.row, count: splice.count, gap: gap)
    stretch.isMoveHalf = splice.cause == .unlistedMove
    add(inserted: stretch)
  }

  private mutating func delete(_ splice: RowSplice<Width>, newIndex: Int32, gap: Int32) {
    var stretch = Stretch(index: splice.row, newIndex: newIndex, count: splice.count, gap: gap)
    if let rows = splice.listed { return remove(rows[...], at: stretch) }
    stretch.isMoveHalf = splice.cause == .unlistedMove
    unlisted.append(stretch)
  }
}
