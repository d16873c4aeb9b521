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
  private let runs: [(first: Int, rows: [OutlinedRow])]
  private var parents = ParentKeys()

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

  /// About how many bytes the rows take: as many as they do unless a member is long or a string
  /// has to be escaped.
  ///
  /// - Complexity: O(count).
  var room: Int {
    let members = 16 * fields.rawValue.nonzeroBitCount
    let keys = fields.contains([.key, .parent]) ? 2 : 1
    // The last row asks for more than it takes.
    var room = 1_024
    for run in runs {
      for row in run.rows { room &+= keys &* row.key.count &+ told(row.object) &+ members }
    }
    return room
  }

  /// How many bytes of an object are written.
  private func told(_ object: ByteArena.Slice) -> Int {
    fields.contains(.object) ? object.count : 0
  }

  /// Writes the rows.
  mutating func write(to writer: inout JSONWriter, of manager: borrowing TreeManager) {
    for run in runs { write(run.rows, from: run.first, of: manager, to: &writer) }
  }

  /// Writes rows of one section, the first of which stands at a row of the engine.
  private mutating func write(
    _ rows: [OutlinedRow],
    from first: Int,
    of manager: borrowing TreeManager,
    to writer: inout JSONWriter
  ) {
    let (keys, objects, null, fields) = (keys, objects, TreeManager.null, fields)
    let tellsParent = fields.contains(.parent)
    let location = places.location(of: first)
    let section = places.sections.all[location.section].name
    let most = Row.room(fields, names: section.count, object: 0)
    writer.values(rows.count) { place in
      let row = rows[place]
      var names = row.key.count
      if tellsParent {
        parents.meet(row.parent, in: manager)
        names &+= parents.key?.count ?? 0
      }
      return most &+ JSONWriter.room(forString: names) &+ told(row.object)
    } _: { place, out, i in
      let row = rows[place]
      let (index, sectionRow) = (location.row + place, location.sectionRow + place)
      let parent: Span<UInt8>? = if let key = parents.key { keys.span(of: key) } else { nil }
      RowPlace(index: index, depth: row.depth - 1, sectionRow: sectionRow).put(
        to: &out,
        &i,
        key: keys.span(of: row.key),
        parent: parent,
        section: section.span,
        object: row.object.isEmpty ? null.span : objects.span(of: row.object),
        fields
      )
    }
  }
}
