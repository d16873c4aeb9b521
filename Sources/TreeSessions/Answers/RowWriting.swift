import JSON
import TreeDomain
import TreeEngine

/// Writes the engine's rows as those of an answer, straight from the bytes of the tree.
///
/// It holds on to those bytes: the tree must stay as it is meanwhile, or they would be copied.
struct RowWriting: ~Copyable {
  private let fields: RowFields
  private let places: SectionRows
  private let isSectioned: Bool
  private let keys: ByteArena
  private let objects: ByteArena
  private var writer: JSONWriter
  private var ends: [Int] = []
  private var parents = ParentKeys()

  /// Writes rows, behind what is written already.
  ///
  /// - Precondition: members of sections are wanted only where there are sections.
  init(
    _ fields: RowFields,
    _ places: SectionRows,
    of manager: borrowing TreeManager,
    behind writer: consuming JSONWriter = JSONWriter()
  ) {
    self.fields = fields
    self.places = places
    isSectioned = fields.contains(.section)
    keys = manager.tree.keyBytes()
    objects = manager.tree.objectBytes()
    self.writer = writer
  }

  /// How many rows have been written.
  var count: Int { ends.count }

  /// How many bytes they take.
  var byteCount: Int { writer.count }

  /// The rows, behind what was written before.
  consuming func end() -> JSONWriter { writer }

  /// The rows; the writing is over.
  mutating func finish() -> WrittenRows {
    if ends.isEmpty { return WrittenRows() }
    let text = writer.finish()
    return WrittenRows(text: text, ends: ends)
  }

  /// Writes rows until they take more than so many bytes, and one in any case.
  mutating func write(
    _ rows: ArraySlice<ViewRow>,
    of manager: borrowing TreeManager,
    maxBytes: Int = .max
  ) {
    // Held once for all of them.
    let (keys, objects, null, fields) = (keys, objects, TreeManager.null, fields)
    let tellsParent = fields.contains(.parent)
    if ends.isEmpty, let first = rows.first { makeRoom(for: rows.count, like: first, manager) }
    for place in rows.indices {
      if writer.count > maxBytes, !ends.isEmpty { break }
      let row = rows[place]
      let location = row.index.map { places.location(of: $0) }
      if tellsParent { parents.meet(row.parent, in: manager) }
      let section = isSectioned ? section(of: row, at: location, in: manager) : []
      let (key, object) = manager.tree.stringSlices(of: row.node)
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

  /// Makes room at once, where rows are about as long as the first one.
  private mutating func makeRoom(
    for count: Int,
    like row: ViewRow,
    _ manager: borrowing TreeManager
  ) {
    let (key, object) = manager.tree.stringSlices(of: row.node)
    let strings =
      (fields.contains(.key) ? key.count : 0) + (fields.contains(.object) ? object.count : 0)
    let members = 16 * fields.rawValue.nonzeroBitCount
    // A row asks for more room than it takes.
    writer.reserve(min(count * (strings + members + 16), 64 * 1_024) + 1_024)
  }

  /// The name of the section that a row is in.
  private func section(
    of row: ViewRow,
    at location: SectionRows.Location?,
    in manager: borrowing TreeManager
  ) -> [UInt8] {
    places.sections.all[location?.section ?? manager.sectionIndex(of: row.node)].name
  }
}

extension Row {
  /// What the engine shows of a node, at its place in the rows of the contract.
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
