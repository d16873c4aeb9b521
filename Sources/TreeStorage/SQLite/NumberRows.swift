internal import JSON

/// Rows of numbers as JSON text, `[[1,2],[3,4]]`, which SQL can read.
struct NumberRows {
  private(set) var count = 0
  private var writer = JSONWriter()

  /// The initial capacity in bytes.
  private static let usualBytes = 1_024

  /// Adds a row of at least one number.
  mutating func add<let width: Int>(_ row: InlineArray<width, Int>) {
    if count == 0 {
      writer.reserve(Self.usualBytes)
      writer.beginArray()
    }
    writer.value(roomFor: 22 * width) { room in
      room.put("[", row[0])
      for place in 1..<width { room.put(",", row[place]) }
      room.put("]")
    }
    count += 1
  }

  /// Returns the text of all rows, and removes them.
  mutating func finish() -> [UInt8] {
    if count == 0 { writer.beginArray() }
    writer.endArray()
    count = 0
    return writer.finish()
  }

  /// Returns the numbers of all rows of a text, joined.
  ///
  /// Returns `nil` if the text is no such JSON, if a row does not have `width` numbers, or if a
  /// number is negative.
  static func numbers(in text: [UInt8], width: Int) -> [Int]? {
    var reader = JSONReader(text)
    var numbers: [Int] = []
    do throws(JSONError) {
      try reader.beginArray()
      while try reader.nextElement() {
        let end = numbers.count + width
        try reader.beginArray()
        while try reader.nextElement() { numbers.append(try reader.readInt()) }
        guard numbers.count == end else { return nil }
      }
      try reader.finish()
    } catch {
      return nil
    }
    return numbers.allSatisfy { $0 >= 0 } ? numbers : nil
  }
}
