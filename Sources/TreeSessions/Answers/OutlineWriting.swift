import JSON
import TreeDomain
import TreeEngine

/// Writes rows of which only what places them and their strings are wanted, as most pages are,
/// straight from the bytes of the tree.
///
/// It holds on to those bytes: the tree must stay as it is meanwhile, or they would be copied.
struct OutlineWriting {
  private let fields: RowFields
  private let places: SectionRows
  private let keys: ByteArena
  private let objects: ByteArena
  /// Runs of rows, each with the row of the engine at which it begins.
  private var runs: [(first: Int, rows: [OutlinedRow])]

  /// Reads rows of the engine.
  ///
  /// - Precondition: the members wanted are none of ``RowFields/standing``.
  init(
    _ parts: [Range<Int>],
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
    var runs: [(first: Int, rows: [OutlinedRow])] = []
    for part in parts {
      let (first, limit) = (part.lowerBound, part.count)
      runs.append((first, manager.tree.outline(from: first, limit: limit, in: session.view)))
    }
    self.runs = runs
  }

  /// How many rows there are.
  var count: Int { runs.reduce(0) { $0 + $1.rows.count } }

  /// About how many bytes the rows take: as many as they do unless a member is long or a string
  /// has to be escaped.
  ///
  /// - Complexity: O(count).
  var room: Int {
    // The last row asks for more than it takes.
    var room = 1_024
    for run in runs {
      for row in run.rows { room &+= self.room(of: row) }
    }
    return room
  }

  private func room(of row: OutlinedRow) -> Int {
    let members = 16 &* fields.rawValue.nonzeroBitCount
    let keys = fields.contains([.key, .parent]) ? 2 : 1
    return keys &* row.key.count &+ told(row.object) &+ members
  }

  /// Leaves out what comes after the row with which the rows take more than so many bytes.
  mutating func cut(toBytes bytesMax: Int) {
    var room = 0
    for run in runs.indices {
      for (place, row) in runs[run].rows.enumerated() {
        room += self.room(of: row)
        guard room > bytesMax else { continue }
        runs[run].rows.removeSubrange((place + 1)...)
        return runs.removeSubrange((run + 1)...)
      }
    }
  }

  /// How many bytes of an object are written.
  private func told(_ object: ByteArena.Slice) -> Int {
    fields.contains(.object) ? object.count : 0
  }

  /// Writes the rows.
  func write(to writer: inout JSONWriter, of manager: borrowing TreeManager) {
    for run in runs { write(run.rows, from: run.first, of: manager, to: &writer) }
  }

  /// Writes rows of one section, the first of which stands at a row of the engine.
  private func write(
    _ rows: [OutlinedRow],
    from first: Int,
    of manager: borrowing TreeManager,
    to writer: inout JSONWriter
  ) {
    let location = places.location(of: first)
    let section = places.sections.all[location.section].name
    let most = Row.room(fields, names: section.count, object: 0)
    let null = TreeManager.null
    var parents = ParentKeys()
    var place = 0
    while place < rows.count {
      meetParent(of: rows[place], in: manager, &parents)
      writer.value(roomFor: most + room(for: rows[place], parents.key)) { out in
        // As many rows at once as there is room for: mostly all of them.
        while true {
          put(rows[place], parents.key, place, location, section.span, null.span, to: &out)
          place += 1
          guard place < rows.count else { return }
          meetParent(of: rows[place], in: manager, &parents)
          guard out.left > most + room(for: rows[place], parents.key) else { return }
          out.put(byte: UInt8(ascii: ","))
        }
      }
    }
  }

  @inline(always)
  private func meetParent(
    of row: OutlinedRow,
    in manager: borrowing TreeManager,
    _ parents: inout ParentKeys
  ) {
    if fields.contains(.parent) { parents.meet(row.parent, in: manager) }
  }

  /// The most bytes that the strings of a row may take.
  @inline(always)
  private func room(for row: OutlinedRow, _ parent: ByteArena.Slice?) -> Int {
    JSONWriter.room(forString: row.key.count &+ (parent?.count ?? 0)) &+ told(row.object)
  }

  /// Puts the row at a place behind the first one.
  @inline(always)
  private func put(
    _ row: OutlinedRow,
    _ parent: ByteArena.Slice?,
    _ place: Int,
    _ first: SectionRows.Location,
    _ section: Span<UInt8>,
    _ null: Span<UInt8>,
    to out: inout JSONRoom
  ) {
    let parent: Span<UInt8>? = if let parent { keys.span(of: parent) } else { nil }
    RowPlace(
      index: first.row &+ place,
      depth: row.depth - 1,
      sectionRow: first.sectionRow &+ place
    ).put(
      to: &out,
      key: keys.span(of: row.key),
      parent: parent,
      section: section,
      object: row.object.isEmpty ? null : objects.span(of: row.object),
      fields
    )
  }
}
