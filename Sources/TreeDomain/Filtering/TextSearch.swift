/// A search for a text in other texts in linear time.
///
/// Source: Knuth, Morris and Pratt, *Fast Pattern Matching in Strings*, SIAM Journal on Computing
/// 6, 1977.
struct TextSearch: Equatable, Sendable {
  private let sought: SoughtText
  /// The length of the longest border of each prefix: a proper prefix that is also a suffix of it.
  private let borders: [Int32]

  /// Prepares a search.
  ///
  /// - Complexity: O(length of the text).
  init(_ text: [UInt8], isCaseSensitive: Bool) {
    sought = SoughtText(text, isCaseSensitive: isCaseSensitive)
    borders = Self.borders(of: sought.bytes)
  }

  private static func borders(of bytes: [UInt8]) -> [Int32] {
    var borders = [Int32](repeating: 0, count: bytes.count)
    var length = 0
    for i in bytes.indices.dropFirst() {
      while length > 0, bytes[i] != bytes[length] { length = Int(borders[length - 1]) }
      if bytes[i] == bytes[length] { length += 1 }
      borders[i] = Int32(length)
    }
    return borders
  }

  /// Returns true if another text contains this one.
  ///
  /// - Throws: The errors of `count`.
  /// - Complexity: O(length of the other text). Each step back is paid for by a step forward.
  func isContained(
    in text: ArraySlice<UInt8>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Bool {
    let bytes = sought.bytes
    guard let first = bytes.first else { return true }
    let folded = try sought.folded(text, counting: count)
    let span = folded.span
    var length = 0
    for i in span.indices {
      let byte = sought.fold(span[i])
      if length == 0, byte != first { continue }
      while length > 0, byte != bytes[length] { length = Int(borders[length - 1]) }
      if byte == bytes[length] { length += 1 }
      if length == bytes.count { return true }
    }
    return false
  }
}
