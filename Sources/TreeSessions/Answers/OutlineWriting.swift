import JSON
import TreeDomain
import TreeEngine

/// Writes rows as JSON, straight from the memory of the tree, if only a few members are wanted.
///
/// These members are the place of a row and its strings. Most pages need no others.
///
/// A value retains the memory of the tree's strings. If the tree changed meanwhile, that memory
/// would be copied.
struct OutlineWriting: ~Copyable {
  private let fields: RowFields
  private let places: SectionRows
  private let keys: ByteArena
  private let objects: ByteArena
  private let null = EngineTree.null
  /// Ranges of rows, each with the engine's index of its first row.
  private var runs: [(first: Int, rows: [OutlinedRow])] = []

  /// Reads rows of the engine, and skips sections.
  ///
  /// - Precondition: `fields` has none of ``RowFields/standing``.
  init(
    _ rows: Range<Int>,
    of session: OpenSession,
    _ fields: RowFields,
    _ places: SectionRows,
    in content: borrowing TreeContent
  ) {
    precondition(fields.isDisjoint(with: .standing), "an outline does not tell as much")
    self.fields = fields
    self.places = places
    keys = content.tree.keyBytes()
    objects = content.tree.objectBytes()
    var rest = rows
    while let part = places.popPart(of: &rest) {
      let (first, limit) = (part.lowerBound, part.count)
      runs.append((first, content.tree.outline(from: first, limit: limit, in: session.view)))
    }
  }

  /// The estimated size of the rows in bytes, as if all were as long as the first.
  var room: Int {
    guard let row = runs.first?.rows.first else { return 0 }
    let keys = fields.contains([.key, .parent]) ? 2 : 1
    let strings = keys * row.key.count + (fields.contains(.object) ? row.object.count : 0)
    let count = runs.reduce(0) { $0 + $1.rows.count }
    // The last row reserves more than it takes.
    return min(count * (strings + 16 * fields.rawValue.nonzeroBitCount + 16), 64 * 1_024) + 1_024
  }

  /// Writes rows until they take more than `maxBytes`, but at least one.
  ///
  /// - Returns: The number of rows that were written.
  func write(to writer: inout JSONWriter, of content: borrowing TreeContent, maxBytes: Int) -> Int {
    let end = writer.count + maxBytes
    var count = 0
    for run in runs where writer.count <= end {
      count += write(run.rows.span, from: run.first, of: content, to: &writer, end: end)
    }
    return count
  }

  /// The members that depend on a row's record and strings alone.
  private static var own: RowFields { [.key, .depth, .object] }

  /// Writes rows of one section until the text reaches an end, but at least one.
  ///
  /// - Returns: The number of rows that were written.
  private func write(
    _ rows: Span<OutlinedRow>,
    from first: Int,
    of content: borrowing TreeContent,
    to writer: inout JSONWriter,
    end: Int
  ) -> Int {
    let location = places.location(of: first)
    var parents = ParentKeys()
    var place = 0
    while place < rows.count, place == 0 || writer.count <= end {
      meetParent(of: rows[place], fields, in: content, &parents)
      let room = most(fields, location) + room(for: rows[place], parents.key, fields)
      let bytesLeft = end - writer.count
      writer.value(roomFor: room) { out in
        // For a subset of these members, the compiler removes the code of all others.
        if fields.isSubset(of: Self.own) {
          let own = fields.intersection(Self.own)
          out = put(rows, &place, own, bytesLeft, location, &parents, content, out)
        } else {
          out = put(rows, &place, fields, bytesLeft, location, &parents, content, out)
        }
      }
    }
    return place
  }

  /// Puts rows while there is room, mostly all of them.
  ///
  /// The room is passed in and returned, so that its position stays in a register.
  @inline(always)
  private func put(
    _ rows: Span<OutlinedRow>,
    _ place: inout Int,
    _ fields: RowFields,
    _ bytesLeft: Int,
    _ first: SectionRows.Location,
    _ parents: inout ParentKeys,
    _ content: borrowing TreeContent,
    _ out: consuming JSONRoom
  ) -> JSONRoom {
    let section = places.sections.all[first.section].name
    let (start, most) = (place, most(fields, first))
    let leastLeft = out.left - bytesLeft
    var (next, met) = (start, parents)
    while next < rows.count {
      let row = rows[next]
      meetParent(of: row, fields, in: content, &met)
      guard out.left >= most &+ room(for: row, met.key, fields), out.left >= leastLeft else {
        break
      }
      if next > start { out.put(byte: UInt8(ascii: ",")) }
      let parent: Span<UInt8>? = if let key = met.key { keys.span(of: key) } else { nil }
      RowPlace(
        index: first.row &+ next,
        depth: row.depth &- 1,
        sectionRow: first.sectionRow &+ next
      ).put(
        to: &out,
        key: keys.span(of: row.key),
        parent: parent,
        section: section.span,
        object: row.object.isEmpty ? null.span : objects.span(of: row.object),
        fields
      )
      next &+= 1
    }
    (place, parents) = (next, met)
    return out
  }

  @inline(always)
  private func meetParent(
    of row: OutlinedRow,
    _ fields: RowFields,
    in content: borrowing TreeContent,
    _ parents: inout ParentKeys
  ) {
    if fields.contains(.parent) { parents.meet(row.parent, in: content) }
  }

  /// Returns the maximum size of a row with its comma, without its strings, in bytes.
  private func most(_ fields: RowFields, _ location: SectionRows.Location) -> Int {
    Row.room(fields, names: places.sections.all[location.section].name.count, object: 0) + 1
  }

  /// Returns the maximum size of a row's strings in bytes.
  @inline(always)
  private func room(
    for row: OutlinedRow,
    _ parent: ByteArena.Slice?,
    _ fields: RowFields
  ) -> Int {
    let object = fields.contains(.object) ? row.object.count : 0
    return JSONWriter.room(forString: row.key.count &+ (parent?.count ?? 0)) &+ object
  }
}
