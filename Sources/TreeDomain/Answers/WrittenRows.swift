import JSON

/// Rows as JSON, written while their tree was at hand.
///
/// What rows say lies in the tree. An answer outlives the hold on it, and so has their text.
public struct WrittenRows: Equatable, Sendable {
  /// The rows, each an object, with a comma between each two.
  public let text: [UInt8]
  /// Where each row ends in it.
  private let ends: [Int]

  /// No rows.
  public init() { self.init(text: [], ends: []) }

  /// Rows of which the text is there.
  public init(text: [UInt8], ends: [Int]) {
    self.text = text
    self.ends = ends
  }

  /// How many rows there are.
  public var count: Int { ends.count }

  /// The text of some neighbouring rows.
  public subscript(rows: Range<Int>) -> ArraySlice<UInt8> {
    guard !rows.isEmpty else { return [] }
    // Between two rows there is a comma.
    let start = rows.lowerBound == 0 ? 0 : ends[rows.lowerBound - 1] + 1
    return text[start..<ends[rows.upperBound - 1]]
  }

  /// Writes some neighbouring rows as an array.
  func write(_ rows: Range<Int>, to writer: inout JSONWriter) {
    writer.beginArray()
    if !rows.isEmpty { writer.raw(self[rows]) }
    writer.endArray()
  }

  /// Writes the rows as an array.
  func write(to writer: inout JSONWriter) { write(0..<count, to: &writer) }
}
