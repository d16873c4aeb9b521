import TreeDomain
import TreeEngine

// Insertions and moves.
extension ChangeWriting {
  /// The maximum number of entries whose outlines are read together.
  private static var mostReadAhead: Int { 1_024 }

  mutating func writePlacements(_ isRanges: Bool, of content: borrowing TreeContent) {
    var rest = list.placements[...]
    while let first = rest.first, !isFull {
      if isRanges, first.count > 1 {
        write(first, [], isRanges, of: content)
        rest.removeFirst()
        continue
      }
      let named = rest.prefix(Self.mostReadAhead).prefix { !isRanges || $0.count == 1 }
      let outline = content.tree.outline(of: named, in: view)
      var next = 0
      for placement in named {
        if placement.count == 1, roomForRows == 0 {
          write(placement, outline[next], of: content)
        } else {
          write(placement, outline[next...].prefix(placement.count), isRanges, of: content)
        }
        next += placement.count
      }
      rest = rest.dropFirst(named.count)
    }
  }

  /// Writes the entry of a single row that is not included, given its outline.
  private mutating func write(
    _ placement: ChangeList.Placement,
    _ outline: OutlinedRow,
    of content: borrowing TreeContent
  ) {
    if new.isHeader(placement.newIndex) { return }
    let names = names(of: outline, in: content)
    write([], names, at: placement.newIndex, count: 1, from: placement.index, of: content)
  }

  /// Writes an entry for each row, or for each range within a section.
  ///
  /// - Parameters:
  ///   - placement: The inserted or moved rows.
  ///   - outline: The outline of these rows; empty if it was not read.
  ///   - isRanges: True to write an entry for each range.
  ///   - content: The content of the tree.
  mutating func write(
    _ placement: ChangeList.Placement,
    _ outline: ArraySlice<OutlinedRow>,
    _ isRanges: Bool,
    of content: borrowing TreeContent
  ) {
    var rest = placement.newIndex..<(placement.newIndex + placement.count)
    while let part = new.popPart(of: &rest) {
      let offset = part.lowerBound - placement.newIndex
      let source = placement.index.map { $0 + offset }
      let comesAlong = source == nil || movedFields?[part.lowerBound] != nil
      let wanted = comesAlong ? min(part.count, roomForRows) : 0
      let shown =
        wanted == 0 ? [] : content.tree.rows(from: part.lowerBound, limit: wanted, in: view)
      if isRanges, part.count > 1 {
        let names = source == nil ? nil : names(ofRun: part, in: content)
        write(shown[...], names, at: part.lowerBound, count: part.count, from: source, of: content)
        continue
      }
      let rows =
        outline.isEmpty
        ? content.tree.outline(from: part.lowerBound, limit: part.count, in: view)[...]
        : outline.dropFirst(offset)
      for (place, row) in rows.prefix(part.count).enumerated() {
        write(
          shown.dropFirst(place).prefix(1),
          names(of: row, in: content),
          at: part.lowerBound + place,
          count: 1,
          from: source.map { $0 + place },
          of: content
        )
      }
    }
  }

  /// Writes an entry for rows that were inserted, or moved from `source`.
  private mutating func write(
    _ shown: ArraySlice<ViewRow>,
    _ names: Change.Names?,
    at newRow: Int,
    count: Int,
    from source: Int?,
    of content: borrowing TreeContent
  ) {
    let location = new.location(of: newRow)
    let former = source.map { old.location(of: $0) }
    let kind: Change.Kind =
      if let former {
        .move(index: former.row, newIndex: location.row)
      } else {
        .insert(newIndex: location.row)
      }
    var change = Change(kind, count: count, names: names)
    change.place = newPlace(location)
    change.formerPlace = former.flatMap { oldPlace($0) }
    if source != nil, let fields = movedFields?[newRow] { change.movedFields = fields }
    change.rows = include(shown, in: content)
    append(change)
  }

  /// Returns the common depth and parent of a run of rows; nil if these differ.
  ///
  /// They are equal if the rows are adjacent siblings whose descendants are hidden. The positions
  /// of the first and the last row show whether that is so.
  ///
  /// - Complexity: O(log *n*).
  private mutating func names(
    ofRun rows: Range<Int>,
    in content: borrowing TreeContent
  ) -> Change.Names? {
    let first = content.tree.outline(ofRow: rows.lowerBound, in: view)
    let last = content.tree.outline(ofRow: rows.upperBound - 1, in: view)
    guard first.parent == last.parent else { return nil }
    let positions = [first, last].map { content.tree.row(of: $0.node, in: view).position }
    guard positions[1] - positions[0] == rows.count - 1 else { return nil }
    var names = names(of: first, in: content)
    names.key = nil
    return names
  }

  private mutating func names(
    of row: OutlinedRow,
    in content: borrowing TreeContent
  ) -> Change.Names {
    let key = arena.key(of: row, in: content)
    // In the engine, sections have depth 0 and roots depth 1.
    let parent = row.depth > 1 ? arena.key(ofInner: row.parent, in: content) : nil
    return Change.Names(key: key, depth: row.depth - 1, parent: parent)
  }
}
