import TreeClient

/// All rows of a session, kept from change lists twice: by the client's ``TreeRows``, and as the
/// contract describes.
struct ListedRows: Sendable {
  private var held = TreeRows<JSONValue>()
  private var replica = RowReplica()

  /// Rows as they were read.
  init(_ rows: RowReplica = RowReplica()) {
    replica = rows
    held.rowCount = rows.rows.count
    held.put(rows.rows, at: 0)
  }

  /// The revision of the rows.
  var revision: Int { replica.revision }

  /// The keys of the rows.
  var keys: [String] { replica.rows.map(\.key) }

  /// Applies a change list that has all rows.
  ///
  /// - Throws: ``WireError`` when it does not fit, or when the two ways lead to different rows.
  mutating func apply(_ list: ChangeList<JSONValue>) throws {
    try replica.apply(list)
    held.apply(list.changes, rowCount: list.rowCount)
    let count = replica.rows.count
    let all = count == 0 ? nil : 0...count - 1
    // A section may take rows along without entries. In this form of lists none does, which
    // cannot be seen from the list.
    let stale = list.changes.contains { $0.kind.isOfSection } ? all : nil
    guard held.rowCount == count, held.count == count, all.flatMap(held.missing) == stale else {
      throw WireError("\(held.count) rows are held of \(count), after \(list)")
    }
    for (index, row) in replica.rows.enumerated() {
      let other = held[index].map(RowReplica.plain)
      guard other == row, held[index]?.index == index, held.index(of: row.key) == index else {
        throw WireError("row \(index) is \(other as Any), not \(row), after \(list)")
      }
    }
    if stale != nil { held.put(replica.rows, at: 0) }
  }

  /// The difference from other rows; nil where there is none.
  func difference(from truth: RowReplica) -> String? { replica.difference(from: truth) }
}
