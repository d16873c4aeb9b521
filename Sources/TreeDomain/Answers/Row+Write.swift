public import JSON
import TreeEngine

extension Row {
  /// How many bytes a row takes as JSON at most beside its strings.
  private static let mostBytes = 512

  /// Writes the row as an object: the one way in which rows are written.
  ///
  /// - Parameters:
  ///   - writer: Where it goes.
  ///   - keys: The bytes in which the keys lie.
  ///   - key: Where the node's key lies in them.
  ///   - parent: Where the parent's key does; `nil` at a root.
  ///   - section: The name of the section; `nil` in a tree without sections.
  ///   - object: The object, raw JSON.
  ///   - fields: The members to write; the strings of others are not looked at.
  public func write(
    to writer: inout JSONWriter,
    keys: Span<UInt8>,
    key: Range<Int>,
    parent: Range<Int>?,
    section: [UInt8]?,
    object: Span<UInt8>,
    _ fields: RowFields
  ) {
    let names = key.count &+ (parent?.count ?? 0) &+ (section?.count ?? 0)
    let room = Row.mostBytes &+ JSONWriter.room(forString: names) &+ object.count
    writer.object(roomFor: room) { out, i in
      putPlace(&out, &i, keys, key, parent, fields)
      if let section { putSection(&out, &i, section, fields) }
      putSiblings(&out, &i, fields)
      putState(&out, &i, fields)
      if fields.contains(.object) {
        out.put(#","object":"#, &i)
        out.put(json: object, &i)
      }
    }
  }

  private func putPlace(
    _ out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    _ keys: Span<UInt8>,
    _ key: Range<Int>,
    _ parent: Range<Int>?,
    _ fields: RowFields
  ) {
    if fields.contains(.index) {
      out.put(#","index":"#, &i)
      out.put(orNull: index, &i)
    }
    if fields.contains(.key) {
      out.put(#","key":"#, &i)
      out.put(string: keys.extracting(key), &i)
    }
    if fields.contains(.parent) {
      out.put(#","parent":"#, &i)
      if let parent {
        out.put(string: keys.extracting(parent), &i)
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
    if fields.isDisjoint(with: RowFields.state) { return }
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
  /// The members that tell of a row's children, selection and match.
  fileprivate static let state: RowFields = [
    .expanded, .childState, .childCount, .visibleDescendantCount, .selected, .matched,
  ]
}
