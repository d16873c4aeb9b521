import JSON
import TreeDomain

/// A row whose strings are in the arena of `AnswerWriteTests`.
struct SampleRow {
  var key: ByteSlice
  var parent: ByteSlice?
  var section: [UInt8]?
  var row: TreeDomain.Row

  func write(to writer: inout JSONWriter, _ fields: RowFields) {
    let arena = AnswerWriteTests.arena
    let bytes = arena.span
    let above: Span<UInt8>? = if let parent { bytes.extracting(parent.range) } else { nil }
    let section = section ?? []
    row.write(
      to: &writer,
      key: bytes.extracting(key.range),
      parent: above,
      section: section.span,
      object: bytes.extracting(AnswerWriteTests.object.range),
      self.section == nil ? fields.subtracting([.section, .sectionRow]) : fields
    )
  }

  func text(_ fields: RowFields) -> String { written { write(to: &$0, fields) } }

  /// Returns rows as an answer contains them.
  static func rows(_ rows: [SampleRow], _ fields: RowFields = .all) -> WrittenRows {
    var writer = JSONWriter()
    var ends: [Int] = []
    for row in rows {
      row.write(to: &writer, fields)
      ends.append(writer.count)
    }
    return WrittenRows(text: writer.finish(), ends: ends)
  }
}
