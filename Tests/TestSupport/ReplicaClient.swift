/// A client that keeps its rows from change lists alone, as a list view does.
///
/// It asks for `include=rows` and never reads a page again. What follows from other entries it
/// derives from the rows it has, in either order of the rows:
/// - `index` is the place in the list, `sectionRow` that place less the first one of the section;
/// - `siblingCount` and `position` count the rows with the same parent (for roots: in the same
///   section), also under a filter;
/// - `visibleDescendantCount` counts the rows whose chain of parents leads to the row;
/// - `section` is kept as a section, not as a name, so that a renamed one renames its rows. When a
///   tree without sections gets its first ones and none of them is nameless, nothing tells which of
///   them has the rows that were there: the client reads the list of sections (see ``isUnsure``).
package struct ReplicaClient {
  /// What the client knows of one row.
  package struct Row: Sendable {
    var key: ModelKey
    var depth: Int
    var parent: ModelKey?
    /// Which of the sections, by ``Section/id``; `nil` in a tree without sections.
    var section: Int?
    var expanded: Bool
    var childState: String
    var childCount: Int?
    var selected: Bool
    var matched: Bool?
    var object: RawJSON
  }

  /// A section by its name of the moment.
  struct Section: Sendable {
    var id: Int
    var name: ModelKey
  }

  /// The rows as the client believes them to be.
  package private(set) var rows: [Row]
  var sections: [Section] = []
  private var lastSection = 0

  /// Whether the client has to read the list of sections to know in which its rows are.
  package private(set) var isUnsure = false

  /// A client that has read all rows and the sections once.
  package init(_ picture: ModelPicture) {
    rows = picture.rows.map(Row.init)
    readSections(picture.sections)
  }

  /// A client of a tree without sections that has read all rows once.
  package init(_ rows: [ModelRow]) {
    self.init(ModelPicture(rows: rows))
  }

  /// Why a change list was of no use to the client.
  package struct Stuck: Error, CustomStringConvertible {
    /// What it stumbled on.
    package let description: String
  }

  /// Learns from the list of sections which rows are in which.
  package mutating func readSections(_ list: [ModelSectionRow]) {
    sections = list.map { Section(id: newSection(), name: $0.name) }
    for index in rows.indices { rows[index].section = nil }
    for (section, listed) in zip(sections, list) {
      for index in listed.offset..<listed.offset + listed.rowCount {
        rows[index].section = section.id
      }
    }
    isUnsure = false
  }

  mutating func newSection() -> Int {
    lastSection += 1
    return lastSection
  }

  /// Applies a change list in the order of the contract.
  ///
  /// - Throws: ``Stuck`` when an entry does not fit the rows or lacks the row it should bring.
  package mutating func apply(_ list: ChangeList) throws(Stuck) {
    let hadSections = !sections.isEmpty
    try applySections(list.entries.filter(\.kind.isAboutSection))
    let rowEntries = list.entries.filter { !$0.kind.isAboutSection }
    let structural = rowEntries.filter { $0.kind != .update }
    var taken: [Int: Row] = [:]
    for index in structural.flatMap(\.steps).compactMap(\.index).sorted(by: >) {
      guard rows.indices.contains(index) else { throw Stuck(description: "no row \(index)") }
      taken[index] = rows.remove(at: index)
    }
    settleSections(hadSections)
    for entry in structural where entry.kind != .delete {
      for (offset, step) in entry.steps.enumerated() {
        try put(entry, offset, step, from: taken)
      }
    }
    for entry in rowEntries where entry.kind == .update {
      for offset in 0..<entry.count { try update(entry, offset) }
    }
  }

  /// Rows that stayed through the coming or going of all sections.
  private mutating func settleSections(_ hadSections: Bool) {
    guard sections.isEmpty || !hadSections else { return }
    let nameless = sections.first { $0.name.bytes.isEmpty }?.id
    isUnsure = isUnsure || (!sections.isEmpty && nameless == nil && !rows.isEmpty)
    for index in rows.indices { rows[index].section = nameless }
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
    var row: Row
    if let index = step.index {
      guard let old = taken[index] else { throw Stuck(description: "nothing taken at \(index)") }
      row = old
      if let depth = entry.depth { row.depth = depth }
      if let parent = entry.parent { row.parent = parent.key }
    } else {
      row = try Row(entry, offset)
    }
    row.section = try section(entry.section)
    rows.insert(row, at: target)
  }

  private func section(_ name: ModelKey?) throws(Stuck) -> Int? {
    guard let name else { return nil }
    guard let section = sections.first(where: { $0.name == name }) else {
      throw Stuck(description: "an entry names the unknown section \(name)")
    }
    return section.id
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
      case "selected": rows[first + offset].selected = news.selected
      case "matched": rows[first + offset].matched = news.matched
      default: throw Stuck(description: "an update of \(field)")
      }
    }
  }
}

extension ReplicaClient.Row {
  fileprivate init(_ row: ModelRow) {
    self.init(
      key: row.key,
      depth: row.depth,
      parent: row.parent,
      section: nil,
      expanded: row.expanded,
      childState: row.childState,
      childCount: row.childCount,
      selected: row.selected,
      matched: row.matched,
      object: row.object
    )
  }

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
      section: nil,
      expanded: expanded,
      childState: childState,
      childCount: rows[offset]["childCount"]?.integer,
      selected: rows[offset]["selected"]?.bool ?? false,
      matched: rows[offset]["matched"]?.bool,
      object: object
    )
  }
}
