/// A client that keeps its rows from change lists alone, as a list view does.
///
/// It asks for `include=rows` and never reads a page again. What follows from other entries
/// (`position`, `siblingCount`, `visibleDescendantCount`) it does not keep.
package struct ReplicaClient {
  /// What the client knows of one row.
  package struct Row: Sendable {
    var key: ModelKey
    var depth: Int
    var parent: ModelKey?
    var expanded: Bool
    var childState: String
    var childCount: Int?
    var object: RawJSON
  }

  /// The rows as the client believes them to be.
  package private(set) var rows: [Row]

  /// A client that has read all rows once.
  package init(_ rows: [ModelRow]) {
    self.rows = rows.map { row in
      Row(
        key: row.key,
        depth: row.depth,
        parent: row.parent,
        expanded: row.expanded,
        childState: row.childState,
        childCount: row.childCount,
        object: row.object
      )
    }
  }

  /// Why a change list was of no use to the client.
  package struct Stuck: Error, CustomStringConvertible {
    /// What it stumbled on.
    package let description: String
  }

  /// Applies a change list in the order of the contract.
  ///
  /// - Throws: ``Stuck`` when an entry does not fit the rows or lacks the row it should bring.
  package mutating func apply(_ list: ChangeList) throws(Stuck) {
    let structural = list.entries.filter { $0.kind != .update }
    var taken: [Int: Row] = [:]
    for index in structural.flatMap(\.steps).compactMap(\.index).sorted(by: >) {
      guard rows.indices.contains(index) else { throw Stuck(description: "no row \(index)") }
      taken[index] = rows.remove(at: index)
    }
    for entry in structural where entry.kind != .delete {
      for (offset, step) in entry.steps.enumerated() {
        try put(entry, offset, step, from: taken)
      }
    }
    for entry in list.entries where entry.kind == .update {
      for offset in 0..<entry.count { try update(entry, offset) }
    }
  }

  /// What the client believes wrongly; `nil` when it is right in everything.
  package func difference(from truth: [ModelRow]) -> String? {
    guard rows.count == truth.count else {
      return "the replica has \(rows.count) rows, not \(truth.count)"
    }
    for (index, (row, actual)) in zip(rows, truth).enumerated() {
      let agrees =
        row.key == actual.key && row.depth == actual.depth && row.parent == actual.parent
        && row.expanded == actual.expanded && row.childState == actual.childState
        && row.childCount == actual.childCount && actual.agrees(row.object)
      if !agrees { return "the replica's row \(index) is \(row), not \(actual)" }
    }
    return nil
  }

  private mutating func put(
    _ entry: ChangeList.Entry,
    _ offset: Int,
    _ step: ChangeListLaw.Step,
    from taken: [Int: Row]
  ) throws(Stuck) {
    guard let target = step.newIndex, target <= rows.count else {
      throw Stuck(description: "no place for a row")
    }
    if let index = step.index {
      guard var row = taken[index] else { throw Stuck(description: "nothing taken at \(index)") }
      if let depth = entry.depth { row.depth = depth }
      if let parent = entry.parent { row.parent = parent.key }
      rows.insert(row, at: target)
    } else {
      rows.insert(try Row(entry, offset), at: target)
    }
  }

  private mutating func update(_ entry: ChangeList.Entry, _ offset: Int) throws(Stuck) {
    guard let first = entry.newIndex, rows.indices.contains(first + offset) else {
      throw Stuck(description: "an update of no row")
    }
    let news = try Row(entry, offset)
    for field in entry.fields ?? [] {
      switch field {
      case "object": rows[first + offset].object = news.object
      case "expanded": rows[first + offset].expanded = news.expanded
      case "childState": rows[first + offset].childState = news.childState
      case "childCount": rows[first + offset].childCount = news.childCount
      default: throw Stuck(description: "an update of \(field)")
      }
    }
  }
}

extension ReplicaClient.Row {
  /// The row that an entry brings along for one of the rows of its run.
  fileprivate init(_ entry: ChangeList.Entry, _ offset: Int) throws(ReplicaClient.Stuck) {
    guard let rows = entry.rows, rows.indices.contains(offset),
      let key = rows[offset]["key"]?.key, let depth = rows[offset]["depth"]?.integer,
      let expanded = rows[offset]["expanded"]?.bool,
      let childState = rows[offset]["childState"]?.string, let object = rows[offset]["object"]
    else { throw ReplicaClient.Stuck(description: "the \(entry.kind) brings no usable row") }
    self.init(
      key: key,
      depth: depth,
      parent: rows[offset]["parent"]?.key,
      expanded: expanded,
      childState: childState,
      childCount: rows[offset]["childCount"]?.integer,
      object: object
    )
  }
}
