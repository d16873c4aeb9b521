import TreeEngine

/// The rows of a tree's sections among the engine's rows.
///
/// In the engine, each section is a row before its roots. In the contract, it is no row.
struct SectionRows: Sendable {
  /// The position of an engine's row in the contract.
  struct Location: Equatable, Sendable {
    /// The index of the row.
    var row: Int
    /// The index of the row's section.
    var section: Int
    /// The index of the row in its section.
    var sectionRow: Int
  }

  let sections: TreeSections
  /// The engine's rows of the sections, ascending.
  let headers: [Int]
  /// The expansion of each section; empty if it is not needed.
  let isExpanded: [Bool]

  /// - Precondition: `headers` has as many elements as there are sections.
  init(_ sections: TreeSections, headers: [Int], isExpanded: [Bool] = []) {
    precondition(headers.count == sections.all.count)
    self.sections = sections
    self.headers = headers
    self.isExpanded = isExpanded
  }

  /// Returns the index of the last section whose row is not after a row of the engine.
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

  /// Returns the position of a row of the engine.
  ///
  /// - Precondition: The row is not a section.
  /// - Complexity: O(log *s*) for *s* sections.
  func location(of engineRow: Int) -> Location {
    let section = section(atOrBefore: engineRow)
    return Location(
      row: engineRow - section - 1,
      section: section,
      sectionRow: engineRow - headers[section] - 1
    )
  }

  /// Returns the number of rows before a section.
  func offset(of section: Int) -> Int { headers[section] - section }

  /// Returns the engine's row for an index of the contract.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  func engineRow(of row: Int) -> Int {
    var low = 0
    var high = headers.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if offset(of: middle) <= row { low = middle } else { high = middle }
    }
    // An empty section begins at the same index as the next one. The last of these has the row.
    return row + low + 1
  }

  /// Returns the parts of a range of engine rows that are in one section each, without section
  /// rows.
  func split(_ rows: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var rest = rows
    while let part = popPart(of: &rest) { parts.append(part) }
    return parts
  }

  /// Removes and returns the first part of a range that is in one section; nil if none is left.
  ///
  /// - Complexity: O((1 + *p*) log *s*) for *s* sections, *p* of which are passed.
  func popPart(of rest: inout Range<Int>) -> Range<Int>? {
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
  /// Returns the old indexes of ascending new indexes; nil for inserted rows.
  ///
  /// - Complexity: O(*k* log *k* + *m*) for *k* entries and *m* indexes.
  func oldIndexes(ofNew newIndexes: [Int]) -> [Int?] {
    // Rows that left, by old index; rows that arrived, by new index.
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
