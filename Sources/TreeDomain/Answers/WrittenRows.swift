import JSON

/// Rows as JSON.
///
/// The content of rows is in the tree, which may have changed when the answer is sent. So the rows
/// are written while the tree is being read.
package struct WrittenRows: Equatable, Sendable {
  /// The rows, each an object, separated by commas.
  package let text: [UInt8]
  /// The end offset of each row in `text`.
  private let ends: [Int]

  /// Makes an empty value.
  package init() { self.init(text: [], ends: []) }

  /// Makes a value of written rows.
  package init(text: [UInt8], ends: [Int]) {
    self.text = text
    self.ends = ends
  }

  /// The number of rows.
  package var count: Int { ends.count }

  /// The text of a range of rows.
  package subscript(rows: Range<Int>) -> ArraySlice<UInt8> {
    guard !rows.isEmpty else { return [] }
    // Rows are separated by a comma.
    let start = rows.lowerBound == 0 ? 0 : ends[rows.lowerBound - 1] + 1
    return text[start..<ends[rows.upperBound - 1]]
  }

  /// Writes a range of rows as an array.
  func write(_ rows: Range<Int>, to writer: inout JSONWriter) {
    writer.beginArray()
    if !rows.isEmpty { writer.raw(self[rows]) }
    writer.endArray()
  }

  /// Writes the rows as an array.
  func write(to writer: inout JSONWriter) { write(0..<count, to: &writer) }
}
