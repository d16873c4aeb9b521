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
  private var writer = JSONWriter()
  private var ends: [Int] = []
  /// Neighbouring rows mostly have the same parent, and nearly all of them one that is no section.
  private var lastParent: (node: NodeID, key: ByteArena.Slice?)

  /// Writes rows of which there will be about so many.
  init(
    _ fields: RowFields,
    _ places: SectionRows,
    of manager: borrowing TreeManager,
    capacity: Int = 0
  ) {
    self.fields = fields
    self.places = places
    isSectioned = places.sections.isShown && !fields.isDisjoint(with: [.section, .sectionRow])
    keys = manager.tree.keyBytes()
    objects = manager.tree.objectBytes()
    lastParent = (.forestRoot, nil)
    ends.reserveCapacity(capacity)
  }

  /// How many rows have been written.
  var count: Int { ends.count }

  /// How many bytes they take.
  var byteCount: Int { writer.count }

  /// The rows.
  consuming func finish() -> WrittenRows {
    if ends.isEmpty { return WrittenRows() }
    let text = writer.finish()
    return WrittenRows(text: text, ends: ends)
  }

  /// Writes rows, until they take more than so many bytes.
  mutating func write(
    _ rows: ArraySlice<ViewRow>,
    of manager: borrowing TreeManager,
    bytesMax: Int = .max
  ) {
    // Held once for all of them.
    let (keys, objects, null, fields) = (keys, objects, TreeManager.null, fields)
    let tellsParent = fields.contains(.parent)
    if ends.isEmpty, let first = rows.first { makeRoom(for: rows.count, like: first, manager) }
    for place in rows.indices where writer.count <= bytesMax {
      let row = rows[place]
      let location = row.index.map { places.location(of: $0) }
      if tellsParent { meet(parent: row.parent, in: manager) }
      let section = isSectioned ? section(of: row, at: location, in: manager) : nil
      let (key, object) = manager.tree.stringSlices(of: row.node)
      let parent: Span<UInt8>? = if let key = lastParent.key { keys.span(of: key) } else { nil }
      Row(row, at: location).write(
        to: &writer,
        key: keys.span(of: key),
        parent: parent,
        section: section,
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

  /// Writes consecutive rows of which only what places them and their strings are wanted, the first
  /// of which stands at a row of the engine; until they take more than so many bytes.
  ///
  /// - Precondition: the members wanted are none of ``RowFields/standing``.
  mutating func write(
    _ rows: [OutlinedRow],
    from first: Int,
    of manager: borrowing TreeManager,
    bytesMax: Int = .max
  ) {
    precondition(fields.isDisjoint(with: .standing), "an outline does not tell as much")
    var next = 0
    while next < rows.count, writer.count <= bytesMax {
      let (end, room) = stretch(of: rows, from: next, at: first, in: manager)
      write(rows, next..<end, at: first, of: manager, roomFor: room)
      next = end
    }
  }

  /// As many rows from one on as are written into one room, and its size.
  private func stretch(
    of rows: [OutlinedRow],
    from start: Int,
    at first: Int,
    in manager: borrowing TreeManager
  ) -> (end: Int, room: Int) {
    let (fixed, tellsParent) = (Row.room(fields, names: 0, object: 0) + 8, fields.contains(.parent))
    var room = 0
    var end = start
    while end < rows.count, room < 64 * 1_024 {
      let row = rows[end]
      var names = row.key.count
      if tellsParent { names += manager.tree.keySlice(of: row.parent).count }
      if isSectioned { names += section(at: places.location(of: first + end)).count }
      room += fixed + JSONWriter.room(forString: names) + row.object.count
      end += 1
    }
    return (end, room)
  }

  /// Writes some of the rows into room made at once.
  private mutating func write(
    _ rows: [OutlinedRow],
    _ range: Range<Int>,
    at first: Int,
    of manager: borrowing TreeManager,
    roomFor room: Int
  ) {
    let (keys, objects, null, fields) = (keys, objects, TreeManager.null, fields)
    let tellsParent = fields.contains(.parent)
    let tellsPlace = isSectioned || fields.contains(.index)
    var writer = JSONWriter()
    swap(&writer, &self.writer)
    writer.values(roomFor: room) { out, i in
      for place in range {
        if place > range.lowerBound { out.put(",", &i) }
        let row = rows[place]
        let location = tellsPlace ? places.location(of: first + place) : nil
        if tellsParent { meet(parent: row.parent, in: manager) }
        let object = row.object
        let parent: Span<UInt8>? = if let key = lastParent.key { keys.span(of: key) } else { nil }
        Row(row, at: location).put(
          to: &out,
          &i,
          key: keys.span(of: row.key),
          parent: parent,
          section: isSectioned ? location.map { section(at: $0) } : nil,
          object: object.isEmpty ? null.span : objects.span(of: object),
          fields
        )
        ends.append(i)
      }
    }
    swap(&writer, &self.writer)
  }

  /// The name of the section at a place.
  private func section(at location: SectionRows.Location) -> [UInt8] {
    places.sections.all[location.section].name
  }

  /// The name of the section that a row is in.
  private func section(
    of row: ViewRow,
    at location: SectionRows.Location?,
    in manager: borrowing TreeManager
  ) -> [UInt8] {
    places.sections.all[location?.section ?? manager.sectionIndex(of: row.node)].name
  }

  /// Finds the key of a parent; none for a root's, which to the engine is its section.
  private mutating func meet(parent node: NodeID, in manager: borrowing TreeManager) {
    guard lastParent.node != node else { return }
    let isShown = node != .forestRoot && !manager.isSection(node)
    lastParent = (node, isShown ? manager.tree.keySlice(of: node) : nil)
  }
}

extension Row {
  /// A row of an outline, at its place in the rows of the contract, where that is wanted; the rest
  /// of it is not known.
  fileprivate init(_ row: OutlinedRow, at location: SectionRows.Location?) {
    self.init(
      index: location?.row,
      depth: row.depth - 1,
      position: 0,
      siblingCount: 0,
      isExpanded: false,
      childState: .leaf,
      childCount: nil,
      visibleDescendantCount: 0
    )
    sectionRow = location?.sectionRow
  }

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
