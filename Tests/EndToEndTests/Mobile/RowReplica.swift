import TreeClient

/// The rows of a session, kept from change lists as "Applying a change list" describes.
///
/// It shares nothing with the algorithm of the client, ``TreeRows``. What an answer does not repeat
/// when it follows from other entries is not kept.
struct RowReplica: Sendable {
  private(set) var rows: [Row<JSONValue>] = []
  /// The revision of the rows.
  private(set) var revision = 0

  /// Rows as they were read at a revision.
  init(_ rows: [Row<JSONValue>] = [], at revision: Int = 0) {
    self.rows = rows.map(Self.plain)
    self.revision = revision
  }

  /// Returns a row without the members that follow from where it and its siblings stand.
  static func plain(_ row: Row<JSONValue>) -> Row<JSONValue> {
    var row = row
    row.index = nil
    row.position = nil
    row.siblingCount = nil
    row.visibleDescendantCount = nil
    row.sectionRow = nil
    return row
  }

  /// Applies a change list that has all rows.
  ///
  /// - Throws: ``WireError`` when it does not go on from the replica's revision, or fits no row.
  mutating func apply(_ list: ChangeList<JSONValue>) throws {
    guard list.previousRevision == revision, list.format == .rows else {
      throw WireError("this does not go on from revision \(revision): \(list)")
    }
    let sources = list.changes.filter { $0.kind == .delete || $0.kind == .move }.map(\.index)
    var taken: [Int: Row<JSONValue>] = [:]
    for index in sources.sorted(by: >) {
      guard rows.indices.contains(index) else { throw WireError("no row \(index): \(list)") }
      taken[index] = rows.remove(at: index)
    }
    for change in list.changes { try put(change, taken) }
    guard list.rowCount == rows.count else { throw WireError("\(rows.count) rows, after \(list)") }
    revision = list.revision
  }

  private mutating func put(
    _ change: Change<JSONValue>,
    _ taken: [Int: Row<JSONValue>]
  ) throws {
    // What becomes of sections, rows have entries of their own for.
    guard change.kind != .delete, !change.kind.isOfSection else { return }
    let place = change.newIndex
    guard var row = change.kind == .move ? taken[change.index] : change.rows.first.map(Self.plain),
      place <= rows.count
    else { throw WireError("of no use: \(change)") }
    if change.kind == .update {
      guard rows.indices.contains(place) else { throw WireError("no row: \(change)") }
      rows[place] = row
    } else {
      guard let depth = change.depth else { throw WireError("without a depth: \(change)") }
      (row.depth, row.parent, row.section) = (depth, change.parent, change.section)
      rows.insert(row, at: place)
    }
  }

  /// The difference from other rows; nil where there is none.
  func difference(from truth: RowReplica) -> String? {
    guard revision == truth.revision, rows.count == truth.rows.count else {
      return "\(rows.count) rows at \(revision), not \(truth.rows.count) at \(truth.revision)"
    }
    for (index, (row, right)) in zip(rows, truth.rows).enumerated() where row != right {
      return "row \(index) is \(row), not \(right)"
    }
    return nil
  }

  /// Reads all rows of a session, anew when it changes meanwhile.
  static func read(_ session: TreeSession) async throws -> RowReplica {
    while true {
      if let all = try await readPages(session) { return all }
    }
  }

  private static func readPages(_ session: TreeSession) async throws -> RowReplica? {
    var rows: [Row<JSONValue>] = []
    var query = RowsQuery(limit: 1000)
    do {
      while true {
        let page: RowPage<JSONValue> = try await session.rows(
          query,
          RequestOptions(attempts: .max)
        )
        rows += page.rows
        if rows.count == page.rowCount { return RowReplica(rows, at: page.revision) }
        query = RowsQuery(offset: rows.count, limit: 1000)
        query.revision = page.revision
      }
    } catch let problem as TreeProblem where problem.code == "revision-changed" {
      return nil
    }
  }
}
