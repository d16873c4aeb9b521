/// A text that others are compared with, with or without regard to case.
///
/// Without regard to case, ASCII is lower-cased byte by byte during the comparison. Only a text
/// with other characters is copied.
struct SoughtText: Equatable, Sendable {
  /// The text, lower-cased unless case matters.
  let bytes: [UInt8]
  /// The bit that makes an ASCII capital letter a small one, or 0 if case matters.
  private let caseBit: UInt8

  init(_ text: [UInt8], isCaseSensitive: Bool) {
    bytes = isCaseSensitive ? text : TextOrder.lowercased(text[...])
    caseBit = isCaseSensitive ? 0 : 0x20
  }

  /// Returns true if another text starts with this one.
  ///
  /// - Throws: The errors of `count`.
  func isPrefix(
    of text: ArraySlice<UInt8>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Bool {
    let folded = try folded(text, counting: count)
    return folded.count >= bytes.count && isAt(0, in: folded.span)
  }

  /// Returns -1, 0 or 1 as this text is less than, equal to or greater than another, by code
  /// points.
  ///
  /// - Throws: The errors of `count`.
  func compared(
    to text: ArraySlice<UInt8>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Int {
    let folded = try folded(text, counting: count)
    let span = folded.span
    for i in 0..<min(bytes.count, span.count) where bytes[i] != fold(span[i]) {
      return bytes[i] < fold(span[i]) ? -1 : 1
    }
    return (bytes.count - span.count).signum()
  }

  private func isAt(_ start: Int, in span: Span<UInt8>) -> Bool {
    for i in bytes.indices where fold(span[start &+ i]) != bytes[i] { return false }
    return true
  }

  func fold(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | caseBit : byte
  }

  /// Returns a text, lower-cased if it has characters other than ASCII and case does not matter.
  ///
  /// - Throws: The errors of `count`.
  func folded(
    _ text: ArraySlice<UInt8>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> ArraySlice<UInt8> {
    guard caseBit != 0, text.contains(where: { $0 >= 0x80 }) else { return text }
    return try TextOrder.lowercased(text, counting: count)[...]
  }
}
