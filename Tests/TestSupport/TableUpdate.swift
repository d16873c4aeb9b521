/// A batch of updates of a table with sections, applied by the rules of UIKit.
///
/// Deletions and sources of moves refer to the old sections and rows. Insertions and targets of
/// moves refer to the new ones. Other rows keep their order. The new table provides inserted rows
/// and sections.
package struct TableUpdate {
  /// A row in a section.
  package struct Path: Hashable {
    package var section: Int
    package var row: Int

    /// Creates the path of a row.
    package init(section: Int, row: Int) {
      self.section = section
      self.row = row
    }
  }

  package var deletedRows: [Path] = []
  package var insertedRows: [Path] = []
  package var movedRows: [(from: Path, to: Path)] = []
  /// The changed rows, each with its old and new place.
  package var updatedRows: [(from: Path, to: Path)] = []
  package var deletedSections: [Int] = []
  package var insertedSections: [Int] = []
  package var movedSections: [(from: Int, to: Int)] = []
  /// The changed sections, each with its old and new place.
  package var updatedSections: [(from: Int, to: Int)] = []

  /// Creates an empty batch.
  package init() {}

  /// The faults for which UIKit throws an exception with any table.
  package var prohibitions: [String] {
    var found: [String] = []
    func expectDistinct<Place: Hashable>(_ places: [Place], _ what: String) {
      if Set(places).count < places.count { found.append("\(what) is in two roles") }
    }
    expectDistinct(
      deletedRows + movedRows.map(\.from) + updatedRows.map(\.from),
      "a row before"
    )
    expectDistinct(insertedRows + movedRows.map(\.to) + updatedRows.map(\.to), "a row after")
    expectDistinct(
      deletedSections + movedSections.map(\.from) + updatedSections.map(\.from),
      "a section before"
    )
    expectDistinct(
      insertedSections + movedSections.map(\.to) + updatedSections.map(\.to),
      "a section after"
    )
    if (movedRows + updatedRows).contains(where: { deletedSections.contains($0.from.section) }) {
      found.append("a row moves out of a deleted section, or is updated in it")
    }
    if (movedRows + updatedRows).contains(where: { insertedSections.contains($0.to.section) }) {
      found.append("a row moves into an inserted section, or is updated in it")
    }
    return found
  }

  /// Applies the updates to a table. Inserted rows and sections are read from `after`.
  ///
  /// - Returns: The new table; nil if numbers of rows or sections do not match, for which UIKit
  ///   throws an exception.
  package func applied<Row>(to before: [[Row]], reading after: [[Row]]) -> [[Row]]? {
    guard let sources = sectionSources(before.count, after.count) else { return nil }
    var table: [[Row]] = []
    for (section, source) in sources.enumerated() {
      guard let source else {
        table.append(after[section])
        continue
      }
      guard let rows = rows(of: section, from: source, before, after) else { return nil }
      table.append(rows)
    }
    return table
  }

  /// Returns the old index of each new section, or nil for an inserted one.
  private func sectionSources(_ oldCount: Int, _ newCount: Int) -> [Int?]? {
    let leaving = Set(deletedSections + movedSections.map(\.from))
    var staying = (0..<oldCount).filter { !leaving.contains($0) }[...]
    let moved = Dictionary(uniqueKeysWithValues: movedSections.map { ($0.to, $0.from) })
    var sources: [Int?] = []
    for section in 0..<newCount {
      if let source = moved[section] {
        sources.append(source)
      } else if insertedSections.contains(section) {
        sources.append(nil)
      } else if let source = staying.popFirst() {
        sources.append(source)
      } else {
        return nil
      }
    }
    return staying.isEmpty ? sources : nil
  }

  /// Returns the new rows of a section that existed before.
  private func rows<Row>(
    of section: Int,
    from source: Int,
    _ before: [[Row]],
    _ after: [[Row]]
  ) -> [Row]? {
    let leaving = Set(
      (deletedRows + movedRows.map(\.from)).filter { $0.section == source }.map(\.row)
    )
    var staying = before[source].indices.filter { !leaving.contains($0) }.map {
      before[source][$0]
    }[
      ...
    ]
    let inserted = Set(insertedRows.filter { $0.section == section }.map(\.row))
    let moved = movedRows.filter { $0.to.section == section }
    var rows: [Row] = []
    for row in 0..<(staying.count + inserted.count + moved.count) {
      if let move = moved.first(where: { $0.to.row == row }) {
        rows.append(before[move.from.section][move.from.row])
      } else if inserted.contains(row), after[section].indices.contains(row) {
        rows.append(after[section][row])
      } else if let stayed = staying.popFirst() {
        rows.append(stayed)
      } else {
        return nil
      }
    }
    return rows
  }
}
