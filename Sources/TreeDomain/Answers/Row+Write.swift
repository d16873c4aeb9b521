public import JSON
import TreeEngine

extension Row {
  /// How many bytes a row takes as JSON at most.
  ///
  /// - Parameters:
  ///   - fields: Its members.
  ///   - names: How many bytes its key, its parent's key and its section's name have.
  ///   - object: How many bytes its object has, which count where it is written.
  /// - Returns: As much room as it needs, or more.
  @inlinable
  public static func room(_ fields: RowFields, names: Int, object: Int) -> Int {
    let object = fields.contains(.object) ? object : 0
    return fields.mostBytes &+ JSONWriter.room(forString: names) &+ object
  }

  /// Writes the row as an object; see ``RowPlace``.
  ///
  /// - Parameters:
  ///   - writer: What it is written to.
  ///   - key: The node's key.
  ///   - parent: The parent's key; `nil` at a root.
  ///   - section: The name of the section.
  ///   - object: The object, raw JSON.
  ///   - fields: The members to write; those of sections only in a tree that has them.
  public func write(
    to writer: inout JSONWriter,
    key: Span<UInt8>,
    parent: Span<UInt8>?,
    section: Span<UInt8>,
    object: Span<UInt8>,
    _ fields: RowFields
  ) {
    let names = key.count &+ (parent?.count ?? 0) &+ section.count
    let place = RowPlace(index: index, depth: depth, sectionRow: sectionRow)
    writer.value(roomFor: Row.room(fields, names: names, object: object.count)) { out in
      place.put(
        to: &out,
        key: key,
        parent: parent,
        section: section,
        object: object,
        fields,
        standing: self
      )
    }
  }

  /// Puts the members that tell of siblings, children, selection and match.
  @usableFromInline
  func putStanding(
    _ out: inout JSONRoom,
    _ fields: RowFields
  ) {
    if fields.contains(.position) {
      out.put(#","position":"#, position)
    }
    if fields.contains(.siblingCount) {
      out.put(#","siblingCount":"#, siblingCount)
    }
    putState(&out, fields)
  }

  private func putState(
    _ out: inout JSONRoom,
    _ fields: RowFields
  ) {
    if fields.contains(.expanded) {
      out.put(#","expanded":"#)
      out.put(isExpanded)
    }
    if fields.contains(.childState) {
      out.put(#","childState":"#)
      out.put(childState.written)
    }
    if fields.contains(.childCount) {
      out.put(#","childCount":"#)
      out.put(orNull: childCount)
    }
    if fields.contains(.visibleDescendantCount) {
      out.put(#","visibleDescendantCount":"#, visibleDescendantCount)
    }
    if fields.contains(.selected) {
      out.put(#","selected":"#)
      out.put(isSelected)
    }
    if let isMatched, fields.contains(.matched) {
      out.put(#","matched":"#)
      out.put(isMatched)
    }
  }
}

extension RowFields {
  /// The members that an outline of rows does not tell: of siblings, children, selection and match.
  @inlinable
  public static var standing: RowFields {
    [
      .position, .siblingCount, .expanded, .childState, .childCount, .visibleDescendantCount,
      .selected, .matched,
    ]
  }

  /// How many bytes members take at most, beside strings and objects: with their names, quotes and
  /// commas, as numbers of twenty digits or words.
  @inlinable
  var mostBytes: Int {
    // The longest name has twenty-two bytes, that of an outline's members ten.
    2 + (isDisjoint(with: .standing) ? 36 : 48) * rawValue.nonzeroBitCount
  }
}
