import JSON
import TreeDomain
import TreeEngine

/// Writes rows as JSON, straight from the memory of the tree.
///
/// A value retains the memory of the tree's strings. If the tree changed meanwhile, that memory
/// would be copied.
struct RowWriting: ~Copyable {
  private let fields: RowFields
  private let places: SectionRows
  private let isSectioned: Bool
  private let keys: ByteArena
  private let objects: ByteArena
  private var writer: JSONWriter
  private var ends: [Int] = []
  private var parents = ParentKeys()

  /// Makes a value that appends rows to a text.
  ///
  /// - Precondition: `fields` has members of sections only if the tree has named sections.
  init(
    _ fields: RowFields,
    _ places: SectionRows,
    of content: borrowing TreeContent,
    behind writer: consuming JSONWriter = JSONWriter()
  ) {
    self.fields = fields
    self.places = places
    isSectioned = fields.contains(.section)
    keys = content.tree.keyBytes()
    objects = content.tree.objectBytes()
    self.writer = writer
  }

  /// The number of rows that were written.
  var count: Int { ends.count }

  /// The size of the text in bytes.
  var byteCount: Int { writer.count }

  /// Returns the writer with the rows.
  consuming func end() -> JSONWriter { writer }

  /// Returns the rows.
  ///
  /// No more rows may be written afterwards.
  mutating func finish() -> WrittenRows {
    if ends.isEmpty { return WrittenRows() }
    let text = writer.finish()
    return WrittenRows(text: text, ends: ends)
  }

  /// Writes rows until they take more than `maxBytes`, but at least one.
  mutating func write(
    _ rows: ArraySlice<ViewRow>,
    of content: borrowing TreeContent,
    maxBytes: Int = .max
  ) {
    // Copied once, so that each is retained only once.
    let (keys, objects, null, fields) = (keys, objects, EngineTree.null, fields)
    let tellsParent = fields.contains(.parent)
    if ends.isEmpty, let first = rows.first { makeRoom(for: rows.count, like: first, content) }
    for place in rows.indices {
      if writer.count > maxBytes, !ends.isEmpty { break }
      let row = rows[place]
      let location = row.index.map { places.location(of: $0) }
      if tellsParent { parents.meet(row.parent, in: content) }
      let section = isSectioned ? section(of: row, at: location, in: content) : []
      let (key, object) = content.tree.stringSlices(of: row.node)
      let parent: Span<UInt8>? = if let key = parents.key { keys.span(of: key) } else { nil }
      Row(row, at: location).write(
        to: &writer,
        key: keys.span(of: key),
        parent: parent,
        section: section.span,
        object: object.isEmpty ? null.span : objects.span(of: object),
        fields
      )
      ends.append(writer.count)
    }
  }

  /// Reserves memory, as if all rows were as long as the first.
  private mutating func makeRoom(
    for count: Int,
    like row: ViewRow,
    _ content: borrowing TreeContent
  ) {
    let (key, object) = content.tree.stringSlices(of: row.node)
    let strings =
      (fields.contains(.key) ? key.count : 0) + (fields.contains(.object) ? object.count : 0)
    let members = 16 * fields.rawValue.nonzeroBitCount
    // A row reserves more than it takes.
    writer.reserve(min(count * (strings + members + 16), 64 * 1_024) + 1_024)
  }

  /// Returns the name of a row's section.
  private func section(
    of row: ViewRow,
    at location: SectionRows.Location?,
    in content: borrowing TreeContent
  ) -> [UInt8] {
    places.sections.all[location?.section ?? content.sectionIndex(of: row.node)].name
  }
}

extension Row {
  /// Makes a row of the contract from one of the engine.
  fileprivate init(_ row: ViewRow, at location: SectionRows.Location?) {
    self.init(
      index: location?.row,
      depth: row.depth - 1,
      position: row.position,
      siblingCount: row.siblingCount,
      isExpanded: row.isExpanded,
      childState: row.childState,
      childCount: row.childCount,
      visibleDescendantCount: row.visibleDescendantCount
    )
    sectionRow = location?.sectionRow
    isSelected = row.isSelected
    isMatched = row.isMatched
  }
}

/// A cache for the key of a row's parent.
///
/// Adjacent rows often have the same parent.
struct ParentKeys {
  private var node = NodeID.forestRoot
  /// The key of the last parent; nil for a section, which is the engine's parent of a root.
  private(set) var key: ByteArena.Slice?

  /// Sets ``key`` to the key of a parent, unless this was the last parent as well.
  mutating func meet(_ parent: NodeID, in content: borrowing TreeContent) {
    guard parent != node else { return }
    node = parent
    let isShown = parent != .forestRoot && !content.tree.isSection(parent)
    key = isShown ? content.tree.keySlice(of: parent) : nil
  }
}
