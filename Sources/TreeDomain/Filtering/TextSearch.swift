/// Finds a text inside of others in linear time (Knuth, Morris and Pratt, "Fast pattern matching in
/// strings", SIAM Journal on Computing 6, 1977).
struct TextSearch: Equatable, Sendable {
  private let sought: SoughtText
  /// For each beginning of the text, how long its longest border is: what it both begins and ends
  /// with, itself aside.
  private let borders: [Int32]

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

  /// Whether another text contains this one.
  ///
  /// - Complexity: O(length of the other): each step back is paid for by one forward.
  func isContained(in text: ArraySlice<UInt8>) -> Bool {
    let bytes = sought.bytes
    guard let first = bytes.first else { return true }
    let folded = sought.folded(text)
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
