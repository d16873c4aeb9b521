public import JSON
import TreeEngine

extension Row {
  /// How many bytes a row takes as JSON at most.
  ///
  /// - Parameters:
  ///   - fields: Its members.
  ///   - names: How many bytes its key, its parent's key and its section's name have.
  ///   - object: How many bytes its object has.
  /// - Returns: As much room as it needs, or more.
  public static func room(_ fields: RowFields, names: Int, object: Int) -> Int {
    fields.mostBytes &+ JSONWriter.room(forString: names) &+ object
  }

  /// Writes the row as an object.
  ///
  /// See ``put(to:_:key:parent:section:object:_:)``.
  public func write(
    to writer: inout JSONWriter,
    key: Span<UInt8>,
    parent: Span<UInt8>?,
    section: [UInt8]?,
    object: Span<UInt8>,
    _ fields: RowFields
  ) {
    let names = key.count &+ (parent?.count ?? 0) &+ (section?.count ?? 0)
    writer.values(roomFor: Row.room(fields, names: names, object: object.count)) { out, i in
      put(
        to: &out,
        &i,
        key: key,
        parent: parent,
        section: section,
        object: object,
        fields
      )
    }
  }

  /// Puts the row as an object into room that is there: the one way in which rows are written.
  ///
  /// - Parameters:
  ///   - out: The room.
  ///   - i: Where the object goes, and then its end.
  ///   - key: The node's key.
  ///   - parent: The parent's key; `nil` at a root.
  ///   - section: The name of the section; `nil` in a tree without sections.
  ///   - object: The object, raw JSON.
  ///   - fields: The members to write; the strings of others are not looked at.
  public func put(
    to out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    key: Span<UInt8>,
    parent: Span<UInt8>?,
    section: [UInt8]?,
    object: Span<UInt8>,
    _ fields: RowFields
  ) {
    out.putObject(&i) { out, i in
      putPlace(&out, &i, key, parent, fields)
      if let section { putSection(&out, &i, section, fields) }
      if !fields.isDisjoint(with: RowFields.standing) { putStanding(&out, &i, fields) }
      if fields.contains(.object) {
        out.put(#","object":"#, &i)
        out.put(json: object, &i)
      }
    }
  }

  private func putPlace(
    _ out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    _ key: Span<UInt8>,
    _ parent: Span<UInt8>?,
    _ fields: RowFields
  ) {
    if fields.contains(.index) {
      out.put(#","index":"#, &i)
      out.put(orNull: index, &i)
    }
    if fields.contains(.key) {
      out.put(#","key":"#, &i)
      out.put(string: key, &i)
    }
    if fields.contains(.parent) {
      out.put(#","parent":"#, &i)
      if let parent {
        out.put(string: parent, &i)
      } else {
        out.put("null", &i)
      }
    }
    if fields.contains(.depth) {
      out.put(#","depth":"#, &i)
      out.put(depth, &i)
    }
  }

  private func putSection(
    _ out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    _ section: [UInt8],
    _ fields: RowFields
  ) {
    if fields.contains(.section) {
      out.put(#","section":"#, &i)
      out.put(string: section.span, &i)
    }
    if fields.contains(.sectionRow) {
      out.put(#","sectionRow":"#, &i)
      out.put(orNull: sectionRow, &i)
    }
  }

  /// Puts the members that tell of siblings, children, selection and match.
  private func putStanding(
    _ out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    _ fields: RowFields
  ) {
    if fields.contains(.position) {
      out.put(#","position":"#, &i)
      out.put(position, &i)
    }
    if fields.contains(.siblingCount) {
      out.put(#","siblingCount":"#, &i)
      out.put(siblingCount, &i)
    }
    putState(&out, &i, fields)
  }

  private func putState(
    _ out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    _ fields: RowFields
  ) {
    if fields.contains(.expanded) {
      out.put(#","expanded":"#, &i)
      out.put(isExpanded, &i)
    }
    if fields.contains(.childState) {
      out.put(#","childState":"#, &i)
      out.put(childState.written, &i)
    }
    if fields.contains(.childCount) {
      out.put(#","childCount":"#, &i)
      out.put(orNull: childCount, &i)
    }
    if fields.contains(.visibleDescendantCount) {
      out.put(#","visibleDescendantCount":"#, &i)
      out.put(visibleDescendantCount, &i)
    }
    if fields.contains(.selected) {
      out.put(#","selected":"#, &i)
      out.put(isSelected, &i)
    }
    if let isMatched, fields.contains(.matched) {
      out.put(#","matched":"#, &i)
      out.put(isMatched, &i)
    }
  }
}

extension RowFields {
  /// The members that an outline of rows does not tell: of siblings, children, selection and match.
  public static let standing: RowFields = [
    .position, .siblingCount, .expanded, .childState, .childCount, .visibleDescendantCount,
    .selected, .matched,
  ]

  /// How many bytes members take at most, beside strings and objects: with their names, quotes and
  /// commas, as numbers of twenty digits or words.
  var mostBytes: Int {
    // The longest name has twenty-two bytes, that of an outline's members ten.
    2 + (isDisjoint(with: .standing) ? 36 : 48) * rawValue.nonzeroBitCount
  }
}
