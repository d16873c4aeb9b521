import TreeEngine

/// Where the rows of a tree's sections are among the engine's rows, which count each section as one
/// that stands before its roots.
struct SectionRows: Sendable {
  /// Where a row of the engine is to the contract.
  struct Location: Equatable, Sendable {
    /// The row's index.
    var row: Int
    /// The place of its section, and the row's index inside it.
    var section: Int
    var sectionRow: Int
  }

  let sections: TreeSections
  /// The engine's rows that are sections, ascending.
  let headers: [Int]
  /// Whether each section is expanded; left out where nobody asks.
  let isExpanded: [Bool]

  /// - Precondition: `headers` are as many as there are sections.
  init(_ sections: TreeSections, headers: [Int], isExpanded: [Bool] = []) {
    precondition(headers.count == sections.all.count)
    self.sections = sections
    self.headers = headers
    self.isExpanded = isExpanded
  }

  /// The last section that begins at a row of the engine or before it.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  func section(atOrBefore engineRow: Int) -> Int {
    var low = 0
    var high = headers.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if headers[middle] <= engineRow { low = middle } else { high = middle }
    }
    return low
  }

  func isHeader(_ engineRow: Int) -> Bool {
    headers[section(atOrBefore: engineRow)] == engineRow
  }

  /// - Precondition: the row is not a section itself.
  func location(of engineRow: Int) -> Location {
    let section = section(atOrBefore: engineRow)
    return Location(
      row: engineRow - section - 1,
      section: section,
      sectionRow: engineRow - headers[section] - 1
    )
  }

  /// How many rows of the contract come before a section's first.
  func offset(of section: Int) -> Int { headers[section] - section }

  /// The engine's row of a row of the contract.
  func engineRow(of row: Int) -> Int {
    var low = 0
    var high = headers.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if offset(of: middle) <= row { low = middle } else { high = middle }
    }
    // Empty sections begin where the next one does; the last of them holds the row.
    return row + low + 1
  }

  /// The parts of a run of engine rows that lie in one section each, sections themselves left out.
  func split(_ rows: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var rest = rows
    while let part = takePart(of: &rest) { parts.append(part) }
    return parts
  }

  /// Takes the first of those parts out of a run; nil when there is none any more.
  ///
  /// - Complexity: O(log *s*) for *s* sections, and O(those that are passed).
  func takePart(of rest: inout Range<Int>) -> Range<Int>? {
    while !rest.isEmpty {
      let start = rest.lowerBound
      let section = section(atOrBefore: start)
      if headers[section] == start {
        rest = (start + 1)..<rest.upperBound
        continue
      }
      let next = section + 1 < headers.count ? headers[section + 1] : Int.max
      let end = min(rest.upperBound, next)
      rest = end..<rest.upperBound
      return start..<end
    }
    return nil
  }
}

extension ChangeList {
  /// The rows before of some rows after, which are given in ascending order; nil for new ones.
  ///
  /// - Complexity: O(*k* log *k* + *m*) for *k* entries and *m* indexes.
  func oldIndexes(ofNew newIndexes: [Int]) -> [Int?] {
    // What left its place, ascending in the rows before; what came, ascending in those after.
    var gone = deletions.map { $0.index..<($0.index + $0.count) }
    for placement in placements {
      if let index = placement.index { gone.append(index..<(index + placement.count)) }
    }
    gone.sort { $0.lowerBound < $1.lowerBound }
    var result: [Int?] = []
    var come = placements[...]
    var comeCount = 0
    var goneRuns = gone[...]
    var goneCount = 0
    for newIndex in newIndexes {
      while let first = come.first, first.newIndex + first.count <= newIndex {
        comeCount += first.count
        come = come.dropFirst()
      }
      if let first = come.first, first.newIndex <= newIndex {
        result.append(first.index.map { $0 + newIndex - first.newIndex })
        continue
      }
      let survivor = newIndex - comeCount
      while let first = goneRuns.first, first.lowerBound - goneCount <= survivor {
        goneCount += first.count
        goneRuns = goneRuns.dropFirst()
      }
      result.append(survivor + goneCount)
    }
    return result
  }
}
