import TreeEngine

/// Finds the rows that have another place only as their section has one, though among the rows they
/// have not.
///
/// To the engine a section is a row, so that what is below it moves as soon as it passes another
/// section, be that an empty one. To the contract only the section has moved then: its rows stand
/// behind the same rows as before. Of a section all rows that moved are such ones, or none: where
/// one has another parent or depth, what is below it moves with it.
struct SectionShifts {
  private let list: ChangeList
  private let old: SectionRows
  private let new: SectionRows
  /// What left its place, and what came to one.
  private let gone: RowCounts
  private let come: RowCounts
  /// Runs of the rows after, ascending, that lie in one section each.
  private(set) var runs: [Range<Int>] = []
  /// Where the rows before end of which that was found.
  private var end = 0

  /// - Complexity: O((*k* + *s*) log *k*) for *k* entries and *s* sections.
  init(_ list: ChangeList, from old: SectionRows, to new: SectionRows) {
    (self.list, self.old, self.new) = (list, old, new)
    let placements = list.placements
    var sources = list.deletions.map { $0.index..<($0.index + $0.count) }
    sources += placements.compactMap { run in run.index.map { $0..<($0 + run.count) } }
    sources.sort { $0.lowerBound < $1.lowerBound }
    gone = RowCounts(sources, old)
    come = RowCounts(placements.map { $0.newIndex..<($0.newIndex + $0.count) }, new)
    var parts: [(rows: Range<Int>, source: Int)] = []
    var section = -1
    for placement in placements {
      guard let index = placement.index else { continue }
      var rest = placement.newIndex..<(placement.newIndex + placement.count)
      while let part = new.takePart(of: &rest) {
        let next = new.section(atOrBefore: part.lowerBound)
        if next != section {
          add(parts, of: section)
          (parts, section) = ([], next)
        }
        parts.append((part, index + part.lowerBound - placement.newIndex))
      }
    }
    add(parts, of: section)
  }

  /// Adds the rows of a section that moved, if they only shift.
  private mutating func add(_ parts: [(rows: Range<Int>, source: Int)], of section: Int) {
    guard !parts.isEmpty, list.moves(to: new.headers[section]) else { return }
    var end = end
    for (rows, source) in parts {
      let former = old.sections.all[old.section(atOrBefore: source)]
      guard former.node == new.sections.all[section].node, source >= end,
        standsBehindTheSame(rows.lowerBound, source), !list.hasReparented(in: rows)
      else { return }
      end = source + rows.count
    }
    self.end = end
    runs += parts.map(\.rows)
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
  /// - Returns: the list, of which ``oldIndexes(ofNew:)`` is not to be asked.
  /// - Complexity: O(*s* log *k*) where no section moved, for *k* entries and *s* sections; else as
  ///   ``SectionShifts/init(_:from:to:)``.
  func withoutShifts(from old: SectionRows, to new: SectionRows) -> ChangeList {
    guard old.sections.isShown, new.sections.isShown, new.headers.contains(where: moves(to:))
    else { return self }
    var list = self
    list.placements = []
    var shifts = SectionShifts(self, from: old, to: new).runs[...]
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

  /// Whether a row that moved has another parent or depth.
  fileprivate func hasReparented(in rows: Range<Int>) -> Bool {
    var low = 0
    var high = reparented.count
    while low < high {
      let middle = (low + high) / 2
      if reparented[middle] < rows.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < reparented.count && rows.contains(reparented[low])
  }
}
