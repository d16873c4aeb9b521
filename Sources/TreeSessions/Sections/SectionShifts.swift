import TreeEngine

/// Finds the rows that have another place only as their section has one, though among the rows they
/// have not.
///
/// To the engine a section is a row, so that what is below it moves as soon as it passes another
/// section, be that an empty one. To the contract only the section has moved then: its rows stand
/// behind the same rows as before. Left out are those that moved besides, with what is below them:
/// they have another parent or depth, come from another section, or are not among the most that
/// keep their order.
///
/// Told section by section, rows of a moved section stay where they keep their order in it,
/// whatever
/// the section passed.
struct SectionShifts {
  private let list: ChangeList
  private let old: SectionRows
  private let new: SectionRows
  /// Told section by section: rows of moved sections that have no entry, by section.
  private let staying: [Int: [MovedRows]]?
  /// What left its place, and what came to one.
  private let gone: RowCounts
  private let come: RowCounts
  /// Runs of the rows after, ascending, that lie in one section each.
  private(set) var runs: [Range<Int>] = []
  /// Where the rows before end of which that was found.
  private var end = 0

  /// - Complexity: O((*k* + *s* + *m* *d*) log *n*) for *k* entries, *s* sections, and *m* runs of
  ///   rows that moved besides, at a depth up to *d*; in breadth-first order each row is a run.
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
      while let rows = new.takePart(of: &rest) {
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

  /// Adds those of a section's rows that only shift, if it moved.
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
    // What is below those that move does not stay, which may leave room for some of them.
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

  /// Rows of a section that were in it, under the same parents, and behind the same of those rows
  /// that did not move at all.
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

  /// Chooses among candidates those that stay, in parts without what is below others.
  ///
  /// - Parameters:
  ///   - candidates: All of them.
  ///   - isChosen: Which are to stay; others do where they fit in between.
  ///   - least: By place, the least row before of those that are to stay from there on.
  ///   - none: No movers.
  ///   - family: What is around a row.
  /// - Returns: Those that stay, with their places.
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

  /// Returns true if the rows that have no entry leave room for others to stay.
  private func mayStay(_ part: MovedRows, in section: Int) -> Bool {
    guard let staying else {
      return part.source >= end && standsBehindTheSame(part.rows.lowerBound, part.source)
    }
    guard let fixed = staying[section] else { return true }
    let next = fixed.firstPlace(endingBehind: part.rows.lowerBound)
    let isBehind = next == 0 || fixed[next - 1].sourceEnd <= part.source
    return isBehind && (next == fixed.count || part.sourceEnd <= fixed[next].source)
  }

  /// Whether as many rows that stayed are before a row as were.
  private func standsBehindTheSame(_ row: Int, _ source: Int) -> Bool {
    new.rowCount(before: row) - come.count(before: row)
      == old.rowCount(before: source) - gone.count(before: source)
  }
}

/// How many rows of some runs come before others, sections left out.
private struct RowCounts {
  /// Ascending.
  private let runs: [Range<Int>]
  /// How many rows the runs before each have.
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

  /// - Complexity: O(log *k*) for *k* runs.
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
  /// How many rows of the contract come before a row of the engine.
  fileprivate func rowCount(before engineRow: Int) -> Int {
    let section = section(atOrBefore: engineRow)
    return engineRow - section - (headers[section] == engineRow ? 0 : 1)
  }

  fileprivate func rowCount(in run: Range<Int>) -> Int {
    rowCount(before: run.upperBound) - rowCount(before: run.lowerBound)
  }
}

extension ChangeList {
  /// The list without the moves of rows that only shift with their section; where they are follows
  /// from the other entries.
  ///
  /// - Parameters:
  ///   - old: the sections among the rows before.
  ///   - new: those among the rows after.
  ///   - family: what is around a row after.
  /// - Returns: the list, of which ``oldIndexes(ofNew:)`` is not to be asked.
  /// - Complexity: O(*s* log *k*) where no section moved, for *k* entries and *s* sections; else as
  ///   ``SectionShifts/init(_:from:to:_:)``.
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

  /// Those of some rows that moved and have another parent or depth, ascending.
  ///
  /// - Complexity: O(log *m*) for *m* such rows of all.
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
