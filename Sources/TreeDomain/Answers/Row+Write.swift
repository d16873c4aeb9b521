public import JSON
import TreeEngine

extension Row {
  /// Returns an upper bound of the size of a row as JSON, in bytes.
  ///
  /// - Parameters:
  ///   - fields: The members of the row.
  ///   - names: The total size of its key, its parent's key and its section's name, in bytes.
  ///   - object: The size of its object in bytes. Counted only if `fields` contains it.
  /// - Returns: The upper bound.
  @inlinable
  public static func room(_ fields: RowFields, names: Int, object: Int) -> Int {
    let object = fields.contains(.object) ? object : 0
    return fields.mostBytes &+ JSONWriter.room(forString: names) &+ object
  }

  /// Writes the row as an object.
  ///
  /// See ``RowPlace``.
  ///
  /// - Parameters:
  ///   - writer: The output.
  ///   - key: The node's key.
  ///   - parent: The parent's key; `nil` at a root.
  ///   - section: The name of the section.
  ///   - object: The object, raw JSON.
  ///   - fields: The members to write. Those of sections are allowed only in a tree with sections.
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

  /// Writes the members about siblings, children, selection and match.
  @usableFromInline
  func putPosition(
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
  /// The members that an outlined row does not have: siblings, children, selection and match.
  @inlinable
  public static var standing: RowFields {
    [
      .position, .siblingCount, .expanded, .childState, .childCount, .visibleDescendantCount,
      .selected, .matched,
    ]
  }

  /// An upper bound of the size of the members without strings and objects, in bytes.
  ///
  /// It includes names, quotes and commas, and numbers of twenty digits.
  @inlinable
  var mostBytes: Int {
    // The longest name has 22 bytes. The longest name of an outlined row has 10.
    2 + (isDisjoint(with: .standing) ? 36 : 48) * rawValue.nonzeroBitCount
  }
}
