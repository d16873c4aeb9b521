public import JSON
import TreeEngine

extension Row {
  /// About how many bytes a row takes as JSON beside its strings.
  static let usualBytes = 224
  /// How many bytes a row takes as JSON at most beside its strings.
  static let mostBytes = 512

  /// Writes the row as an object.
  ///
  /// - Parameters:
  ///   - writer: Where it goes.
  ///   - arena: What the slices point into.
  ///   - fields: The members to write.
  public func write(to writer: inout JSONWriter, from arena: [UInt8], _ fields: RowFields) {
    writer.beginObject()
    writeMembers(to: &writer, from: arena, fields)
    writer.endObject()
  }

  /// Writes the row's members into an open object; see ``write(to:from:_:)``.
  public func writeMembers(
    to writer: inout JSONWriter,
    from arena: [UInt8],
    _ fields: RowFields
  ) {
    let names = key.count &+ (parent?.count ?? 0) &+ (section?.count ?? 0)
    let room = Row.mostBytes &+ JSONWriter.room(forString: names) &+ object.count
    writer.members(roomFor: room) { out, i in
      putPlace(&out, &i, from: arena, fields)
      if section != nil { putSection(&out, &i, from: arena, fields) }
      putSiblings(&out, &i, fields)
      putState(&out, &i, fields)
      if fields.contains(.object) {
        out.put(#","object":"#, &i)
        out.put(arena[object.range], &i)
      }
    }
  }

  private func putPlace(
    _ out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    from arena: [UInt8],
    _ fields: RowFields
  ) {
    if fields.contains(.index) {
      out.put(#","index":"#, &i)
      out.put(orNull: index, &i)
    }
    if fields.contains(.key) {
      out.put(#","key":"#, &i)
      out.put(string: arena[key.range], &i)
    }
    if fields.contains(.parent) {
      out.put(#","parent":"#, &i)
      if let parent { out.put(string: arena[parent.range], &i) } else { out.put("null", &i) }
    }
    if fields.contains(.depth) {
      out.put(#","depth":"#, &i)
      out.put(depth, &i)
    }
  }

  private func putSection(
    _ out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    from arena: [UInt8],
    _ fields: RowFields
  ) {
    if let section, fields.contains(.section) {
      out.put(#","section":"#, &i)
      out.put(string: arena[section.range], &i)
    }
    if fields.contains(.sectionRow) {
      out.put(#","sectionRow":"#, &i)
      out.put(orNull: sectionRow, &i)
    }
  }

  private func putSiblings(
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
