/// The orders of strings in UTF-8, whose byte order is that of code points.
///
/// A string is encoded as bytes whose lexicographic order is that of the strings. Equal strings
/// give equal bytes. Different strings differ before the end of either.
enum TextOrder {
  /// Appends a string for the order by code points.
  static func append(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    if text.contains(0) {
      for byte in text { append(byte, to: &bytes) }
    } else {
      bytes.append(contentsOf: text)
    }
    end(&bytes)
  }

  /// Appends a string for the natural order: runs of digits by value, everything else by code
  /// points.
  ///
  /// A run is encoded as a `0`, the number of its digits and the digits, without leading zeros.
  /// Strings that differ only in leading zeros are equal.
  static func appendNaturally(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    var place = text.startIndex
    while place < text.endIndex {
      if isDigit(text[place]) {
        let run = digitRun(text, place)
        bytes.append(UInt8(ascii: "0"))
        append(count: run.end - run.significant, to: &bytes)
        bytes.append(contentsOf: text[run.significant..<run.end])
        place = run.end
      } else {
        append(text[place], to: &bytes)
        place += 1
      }
    }
    end(&bytes)
  }

  /// The number of bytes that are mapped to lower case between two calls of `count`.
  private static let uncountedBytes = 4_096

  /// Returns the text with each code point mapped to lower case, independent of language.
  static func lowercased(_ utf8: ArraySlice<UInt8>) -> [UInt8] {
    lowercased(utf8, counting: { _ in })
  }

  /// Returns the text with each code point mapped to lower case, independent of language.
  ///
  /// - Parameters:
  ///   - utf8: The text in valid UTF-8.
  ///   - count: Counts steps of about 0.1 microseconds. A text in ASCII has none.
  /// - Returns: The mapped text.
  /// - Throws: The errors of `count`.
  static func lowercased<Failure: Error>(
    _ utf8: ArraySlice<UInt8>,
    counting count: (Int) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    guard utf8.contains(where: { $0 >= 0x80 }) else { return utf8.map(lowercased) }
    var mapped: [UInt8] = []
    mapped.reserveCapacity(utf8.count)
    var counted = 0
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      if scalar.isASCII {
        mapped.append(lowercased(UInt8(truncatingIfNeeded: scalar.value)))
      } else {
        mapped.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
      }
      if mapped.count - counted >= uncountedBytes {
        // Eight bytes take about as long as one step.
        try count(uncountedBytes / 8)
        counted = mapped.count
      }
    }
    return mapped
  }

  private static func lowercased(_ ascii: UInt8) -> UInt8 {
    0x41...0x5A ~= ascii ? ascii | 0x20 : ascii
  }

  /// Appends a byte.
  ///
  /// A zero byte is escaped, because two zeros mark the end.
  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(byte)
    if byte == 0 { bytes.append(1) }
  }

  private static func end(_ bytes: inout [UInt8]) {
    bytes.append(0)
    bytes.append(0)
  }

  /// Appends a count: one byte below 255, otherwise 255 and four bytes.
  private static func append(count: Int, to bytes: inout [UInt8]) {
    guard count >= 255 else {
      bytes.append(UInt8(count))
      return
    }
    bytes.append(255)
    let count = UInt32(count)
    for shift in stride(from: 24, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: count >> shift))
    }
  }

  /// Returns the end of a run of digits and the end of its leading zeros.
  private static func digitRun(
    _ text: ArraySlice<UInt8>,
    _ start: Int
  ) -> (significant: Int, end: Int) {
    var end = start
    while end < text.endIndex, isDigit(text[end]) { end += 1 }
    var significant = start
    while significant < end, text[significant] == UInt8(ascii: "0") { significant += 1 }
    return (significant, end)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
}
