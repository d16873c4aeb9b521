import TreeEngine

/// Finds rows that the engine lists as moved, although only their section moved.
///
/// In the engine a section is a row. If it passes another section, even an empty one, everything
/// below it moves. In the contract only the section moves then, and its rows follow the same rows
/// as before.
///
/// Rows that moved for another reason are left out, with their descendants. They have another
/// parent or depth, or come from another section, or are not part of the largest set that keeps its
/// order.
///
/// If changes are grouped by section, rows of a moved section stay if they keep their order in the
/// section. Rows of other sections do not matter then.
struct SectionShifts {
  private let list: ChangeList
  private let old: SectionRows
  private let new: SectionRows
  /// The rows without entries in each moved section; nil if changes are not grouped by section.
  private let staying: [Int: [MovedRows]]?
  /// Counts the rows that left their place.
  private let gone: RowCounts
  /// Counts the rows that arrived at a new place.
  private let come: RowCounts
  /// The ranges of new rows that were found, ascending, each in one section.
  private(set) var runs: [Range<Int>] = []
  /// The end of the old rows of the last range that was found.
  private var end = 0

  /// - Complexity: O((*k* + *s* + *m* *d*) log *n*) for *k* entries, *s* sections, and *m* runs of
  ///   otherwise moved rows at a depth up to *d*. In breadth-first order, each row is a run.
  init(
    _ list: ChangeList,
    from old: SectionRows,
    to new: SectionRows,
    within staying: [Int: [MovedRows]]? = nil,
    _ family: MovedRows.Family
  ) {
    (self.list, self.old, self.new) = (list, old, new)
    self.staying = staying
    let placements = list.placements
    var sources = list.deletions.map { $0.index..<($0.index + $0.count) }
    sources += placements.compactMap { run in run.index.map { $0..<($0 + run.count) } }
    sources.sort { $0.lowerBound < $1.lowerBound }
    gone = RowCounts(sources, old)
    come = RowCounts(placements.map { $0.newIndex..<($0.newIndex + $0.count) }, new)
    var parts: [MovedRows] = []
    var section = -1
    for placement in placements {
      guard let index = placement.index else { continue }
      var rest = placement.newIndex..<(placement.newIndex + placement.count)
      while let rows = new.popPart(of: &rest) {
        let next = new.section(atOrBefore: rows.lowerBound)
        if next != section {
          add(parts, of: section, family)
          (parts, section) = ([], next)
        }
        parts.append(MovedRows(rows, from: index + rows.lowerBound - placement.newIndex))
      }
    }
    add(parts, of: section, family)
  }

  /// Adds the rows of a section that only shift, if the section moved.
  private mutating func add(
    _ parts: [MovedRows],
    of section: Int,
    _ family: MovedRows.Family
  ) {
    guard !parts.isEmpty, list.moves(to: new.headers[section]) else { return }
    if staying != nil { end = 0 }
    let isInPreOrder = family(parts[0].rows.lowerBound).end != nil
    let candidates = candidates(parts, of: section, Movers(isInPreOrder: isInPreOrder), family)
    var isStaying = [Bool](repeating: false, count: candidates.count)
    for place in heaviestIncreasing(candidates.map { ($0.source, $0.rows.count) }) {
      isStaying[place] = true
    }
    // Descendants of moved rows do not stay, so further rows may fit.
    var least = [Int](repeating: -1, count: candidates.count + 1)
    let none = Movers(isInPreOrder: isInPreOrder)
    let first = choose(candidates, isStaying, least, none, family)
    isStaying = [Bool](repeating: false, count: candidates.count)
    for (place, part) in first.reversed() { (isStaying[place], least[place]) = (true, part.source) }
    least[candidates.count] = .max
    for place in candidates.indices.reversed() where !isStaying[place] {
      least[place] = least[place + 1]
    }
    let staying = choose(candidates, isStaying, least, none, family)
    runs += staying.map(\.part.rows)
    end = staying.last?.part.sourceEnd ?? end
  }

  /// Returns the rows of a section that may stay.
  ///
  /// They were in the section under the same parents, and after the same unmoved rows.
  private func candidates(
    _ parts: [MovedRows],
    of section: Int,
    _ none: Movers,
    _ family: MovedRows.Family
  ) -> [MovedRows] {
    var found: [MovedRows] = []
    var movers = none
    for part in parts {
      let former = old.sections.all[old.section(atOrBefore: part.source)]
      if former.node == new.sections.all[section].node, mayStay(part, in: section) {
        found += movers.rest(of: part, moving: list.reparented(in: part.rows), family)
      } else {
        movers.add(part, family)
      }
    }
    return found
  }

  /// Chooses the rows that stay.
  ///
  /// Descendants of moved rows are cut out.
  ///
  /// - Parameters:
  ///   - candidates: The rows that may stay.
  ///   - isChosen: True for candidates that stay. Others stay if they fit in between.
  ///   - least: For each index, the least old row of the chosen candidates from there on.
  ///   - none: An empty set of movers.
  ///   - family: The family of a row.
  /// - Returns: The rows that stay, with the indexes of their candidates.
  private func choose(
    _ candidates: [MovedRows],
    _ isChosen: [Bool],
    _ least: [Int],
    _ none: Movers,
    _ family: MovedRows.Family
  ) -> [(place: Int, part: MovedRows)] {
    var found: [(place: Int, part: MovedRows)] = []
    var movers = none
    var last = end
    for (place, candidate) in candidates.enumerated() {
      for part in movers.rest(of: candidate, family) {
        let fits = last <= part.source && part.sourceEnd <= least[place + 1]
        if isChosen[place] || fits {
          found.append((place, part))
          last = part.sourceEnd
        } else {
          movers.add(part, family)
        }
      }
    }
    return found
  }

  /// Returns true if moved rows are in the same order as before among the rows without entries.
  private func mayStay(_ part: MovedRows, in section: Int) -> Bool {
    guard let staying else {
      return part.source >= end && standsBehindTheSame(part.rows.lowerBound, part.source)
    }
    guard let fixed = staying[section] else { return true }
    let next = fixed.firstPlace(endingBehind: part.rows.lowerBound)
    let isBehind = next == 0 || fixed[next - 1].sourceEnd <= part.source
    return isBehind && (next == fixed.count || part.sourceEnd <= fixed[next].source)
  }

  /// Returns true if as many unmoved rows are before a new row as were before the old one.
  private func standsBehindTheSame(_ row: Int, _ source: Int) -> Bool {
    new.rowCount(before: row) - come.count(before: row)
      == old.rowCount(before: source) - gone.count(before: source)
  }
}

/// Counts the rows of some ranges that are before a given row, without section rows.
private struct RowCounts {
  /// The ranges, ascending.
  private let runs: [Range<Int>]
  /// The number of rows in the ranges before each range.
  private var sums: [Int] = []
  private let places: SectionRows

  init(_ runs: [Range<Int>], _ places: SectionRows) {
    (self.runs, self.places) = (runs, places)
    var sum = 0
    for run in runs {
      sums.append(sum)
      sum += places.rowCount(in: run)
    }
  }

  /// - Complexity: O(log *k*) for *k* ranges.
  func count(before row: Int) -> Int {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].lowerBound < row { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    let run = runs[low - 1]
    return sums[low - 1] + places.rowCount(in: run.lowerBound..<min(run.upperBound, row))
  }
}

extension SectionRows {
  /// Returns the number of rows in the contract before a row of the engine.
  fileprivate func rowCount(before engineRow: Int) -> Int {
    let section = section(atOrBefore: engineRow)
    return engineRow - section - (headers[section] == engineRow ? 0 : 1)
  }

  fileprivate func rowCount(in run: Range<Int>) -> Int {
    rowCount(before: run.upperBound) - rowCount(before: run.lowerBound)
  }
}

extension ChangeList {
  /// Returns the list without moves of rows that only shift with their section.
  ///
  /// The places of these rows follow from the other entries.
  ///
  /// - Parameters:
  ///   - old: The sections among the old rows.
  ///   - new: The sections among the new rows.
  ///   - family: The family of a new row.
  /// - Returns: The list. Its ``oldIndexes(ofNew:)`` must not be called.
  /// - Complexity: O(*s* log *k*) for *k* entries and *s* sections if no section moved; otherwise
  ///   that of ``SectionShifts/init(_:from:to:within:_:)``.
  func withoutShifts(
    from old: SectionRows,
    to new: SectionRows,
    _ family: MovedRows.Family
  ) -> ChangeList {
    guard old.sections.isShown, new.sections.isShown, new.headers.contains(where: moves(to:))
    else { return self }
    var list = self
    list.placements = []
    var shifts = SectionShifts(self, from: old, to: new, family).runs[...]
    for placement in placements {
      var start = placement.newIndex
      let end = start + placement.count
      func keep(to end: Int) {
        guard start < end else { return }
        let index = placement.index.map { $0 + start - placement.newIndex }
        list.placements.append(Placement(index: index, newIndex: start, count: end - start))
      }
      while let run = shifts.first, run.lowerBound < end {
        keep(to: run.lowerBound)
        start = run.upperBound
        shifts.removeFirst()
      }
      keep(to: end)
    }
    return list
  }

  /// Returns the moved rows in a range that have another parent or depth, ascending.
  ///
  /// - Complexity: O(log *m*) for *m* such rows in all.
  fileprivate func reparented(in rows: Range<Int>) -> ArraySlice<Int> {
    func place(of row: Int) -> Int {
      var low = 0
      var high = reparented.count
      while low < high {
        let middle = (low + high) / 2
        if reparented[middle] < row { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return reparented[place(of: rows.lowerBound)..<place(of: rows.upperBound)]
  }
}
