/// A client that maintains its rows from change lists alone, as a list view does.
///
/// It uses `include=rows` and reads no page again. It derives the other fields from its rows, in
/// either order of rows:
///
///   - `index` is the place in the list, and `sectionRow` that place minus the first one of the
///     section.
///   - `siblingCount` and `position` count the rows with the same parent, for roots in the same
///     section, also under a filter.
///   - `visibleDescendantCount` counts the rows whose ancestors include the row.
///   - `section` refers to a section and not to a name, so that a renamed section renames its rows.
///
/// If a tree without sections gets its first ones and none is nameless, a change list does not tell
/// the section of former rows. The client then reads the list of sections (see ``isUnsure``).
package struct ReplicaClient {
  /// The fields of a row that the client stores.
  package struct Row: Sendable {
    var key: ModelKey
    var depth: Int
    var parent: ModelKey?
    /// The ``Section/id`` of the section; nil in a tree without sections.
    var section: Int?
    var expanded: Bool
    var childState: String
    var childCount: Int?
    var selected: Bool
    var matched: Bool?
    var object: RawJSON
  }

  /// A section with its current name.
  struct Section: Sendable {
    var id: Int
    var name: ModelKey
  }

  /// The current rows.
  package private(set) var rows: [Row]
  var sections: [Section] = []
  private var lastSection = 0

  /// True if the client must read the list of sections.
  package private(set) var isUnsure = false

  /// Creates a client that has read all rows and sections.
  package init(_ picture: ModelPicture) {
    rows = picture.rows.map(Row.init)
    readSections(picture.sections)
  }

  /// Creates a client that has read all rows of a tree without sections.
  package init(_ rows: [ModelRow]) {
    self.init(ModelPicture(rows: rows))
  }

  /// An error for a change list that the client cannot apply.
  package struct Stuck: Error, CustomStringConvertible {
    /// The cause.
    package let description: String
  }

  /// Assigns rows to sections, according to the list of sections.
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
  /// - Throws: ``Stuck`` if an entry does not fit the rows or lacks a row.
  package mutating func apply(_ list: ChangeList) throws(Stuck) {
    let hadSections = !sections.isEmpty
    try applySections(list.entries.filter(\.kind.isAboutSection))
    let rowEntries = list.entries.filter { !$0.kind.isAboutSection }
    let structural = rowEntries.filter { $0.kind != .update }
    var removed: [Int: Row] = [:]
    for index in structural.flatMap(\.steps).compactMap(\.index).sorted(by: >) {
      guard rows.indices.contains(index) else { throw Stuck(description: "no row \(index)") }
      removed[index] = rows.remove(at: index)
    }
    reassignSections(hadSections)
    for entry in structural where entry.kind != .delete {
      for (offset, step) in entry.steps.enumerated() {
        try put(entry, offset, step, from: removed)
      }
    }
    for entry in rowEntries where entry.kind == .update {
      for offset in 0..<entry.count { try update(entry, offset) }
    }
  }

  /// Updates the section of remaining rows after all sections were removed or the first were added.
  private mutating func reassignSections(_ hadSections: Bool) {
    guard sections.isEmpty || !hadSections else { return }
    let nameless = sections.first { $0.name.bytes.isEmpty }?.id
    isUnsure = isUnsure || (!sections.isEmpty && nameless == nil && !rows.isEmpty)
    for index in rows.indices { rows[index].section = nameless }
  }

  private mutating func put(
    _ entry: ChangeList.Entry,
    _ offset: Int,
    _ step: ChangeListLaw.Step,
    from removed: [Int: Row]
  ) throws(Stuck) {
    guard let target = step.newIndex, target <= rows.count else {
      throw Stuck(description: "no place for a row")
    }
    var row: Row
    if let index = step.index {
      guard let old = removed[index] else { throw Stuck(description: "no row from \(index)") }
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

  /// Creates the row that an entry includes for one of its rows.
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
