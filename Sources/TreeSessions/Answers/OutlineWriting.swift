import JSON
import TreeDomain
import TreeEngine

/// Writes rows of which only what places them and their strings are wanted, as most pages are,
/// straight from the bytes of the tree.
///
/// It holds on to those bytes: the tree must stay as it is meanwhile, or they would be copied.
struct OutlineWriting: ~Copyable {
  private let fields: RowFields
  private let places: SectionRows
  private let keys: ByteArena
  private let objects: ByteArena
  private let null = TreeManager.null
  /// Runs of rows, each with the row of the engine at which it begins.
  private var runs: [(first: Int, rows: [OutlinedRow])] = []

  /// Reads rows of the engine, but for the sections among them.
  ///
  /// - Precondition: the members wanted are none of ``RowFields/standing``.
  init(
    _ rows: Range<Int>,
    of session: OpenSession,
    _ fields: RowFields,
    _ places: SectionRows,
    in manager: borrowing TreeManager
  ) {
    precondition(fields.isDisjoint(with: .standing), "an outline does not tell as much")
    self.fields = fields
    self.places = places
    keys = manager.tree.keyBytes()
    objects = manager.tree.objectBytes()
    var rest = rows
    while let part = places.takePart(of: &rest) {
      let (first, limit) = (part.lowerBound, part.count)
      runs.append((first, manager.tree.outline(from: first, limit: limit, in: session.view)))
    }
  }

  /// About how many bytes the rows take: as many as they do if all are about as long as the first.
  var room: Int {
    guard let row = runs.first?.rows.first else { return 0 }
    let keys = fields.contains([.key, .parent]) ? 2 : 1
    let strings = keys * row.key.count + (fields.contains(.object) ? row.object.count : 0)
    let count = runs.reduce(0) { $0 + $1.rows.count }
    // The last row asks for more than it takes.
    return min(count * (strings + 16 * fields.rawValue.nonzeroBitCount + 16), 64 * 1_024) + 1_024
  }

  /// Writes the rows until they take more than so many bytes, and one in any case.
  ///
  /// - Returns: How many were written.
  func write(to writer: inout JSONWriter, of manager: borrowing TreeManager, maxBytes: Int) -> Int {
    let end = writer.count + maxBytes
    var count = 0
    for run in runs where writer.count <= end {
      count += write(run.rows.span, from: run.first, of: manager, to: &writer, end: end)
    }
    return count
  }

  /// Members that tell of a row what its record and strings say, and nothing of what is around it.
  private static var own: RowFields { [.key, .depth, .object] }

  /// Writes rows of one section, the first of which stands at a row of the engine, until the text
  /// goes beyond an end.
  private func write(
    _ rows: Span<OutlinedRow>,
    from first: Int,
    of manager: borrowing TreeManager,
    to writer: inout JSONWriter,
    end: Int
  ) -> Int {
    let location = places.location(of: first)
    var parents = ParentKeys()
    var place = 0
    while place < rows.count, place == 0 || writer.count <= end {
      meetParent(of: rows[place], fields, in: manager, &parents)
      let room = most(fields, location) + room(for: rows[place], parents.key, fields)
      let bytesLeft = end - writer.count
      writer.value(roomFor: room) { out in
        // Where no other members are wanted, the compiler leaves all out that is for others.
        if fields.isSubset(of: Self.own) {
          let own = fields.intersection(Self.own)
          out = put(rows, &place, own, bytesLeft, location, &parents, manager, out)
        } else {
          out = put(rows, &place, fields, bytesLeft, location, &parents, manager, out)
        }
      }
    }
    return place
  }

  /// Puts as many rows, from a place on, as there is room for: mostly all of them.
  ///
  /// It is handed the room and hands it back: then what says where the next piece goes need not be
  /// kept in memory.
  @inline(always)
  private func put(
    _ rows: Span<OutlinedRow>,
    _ place: inout Int,
    _ fields: RowFields,
    _ bytesLeft: Int,
    _ first: SectionRows.Location,
    _ parents: inout ParentKeys,
    _ manager: borrowing TreeManager,
    _ out: consuming JSONRoom
  ) -> JSONRoom {
    let section = places.sections.all[first.section].name
    let (start, most) = (place, most(fields, first))
    let leastLeft = out.left - bytesLeft
    var (next, met) = (start, parents)
    while next < rows.count {
      let row = rows[next]
      meetParent(of: row, fields, in: manager, &met)
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
    in manager: borrowing TreeManager,
    _ parents: inout ParentKeys
  ) {
    if fields.contains(.parent) { parents.meet(row.parent, in: manager) }
  }

  /// The most bytes that a row may take with the comma before it, but for its strings.
  private func most(_ fields: RowFields, _ location: SectionRows.Location) -> Int {
    Row.room(fields, names: places.sections.all[location.section].name.count, object: 0) + 1
  }

  /// The most bytes that the strings of a row may take.
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
