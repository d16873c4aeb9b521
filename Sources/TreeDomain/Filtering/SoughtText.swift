/// A text to be compared with others, whatever the case of letters if so wanted.
///
/// ASCII is folded byte by byte as it is looked at; only a text with other letters is folded into a
/// copy.
struct SoughtText: Equatable, Sendable {
  /// The text, folded unless case matters.
  let bytes: [UInt8]
  /// What makes a capital ASCII letter a small one; 0 where case matters.
  private let caseBit: UInt8

  init(_ text: [UInt8], isCaseSensitive: Bool) {
    bytes = isCaseSensitive ? text : TextOrder.lowercased(text)
    caseBit = isCaseSensitive ? 0 : 0x20
  }

  /// Whether another text starts with this one.
  func isPrefix(of text: ArraySlice<UInt8>) -> Bool {
    let folded = folded(text)
    return folded.count >= bytes.count && isAt(0, in: folded.span)
  }

  /// Compares this text with another one by code points: -1, 0 or 1.
  func compared(to text: ArraySlice<UInt8>) -> Int {
    let folded = folded(text)
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

  /// The text with all letters but those of ASCII folded, if case does not matter.
  func folded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard caseBit != 0, text.contains(where: { $0 >= 0x80 }) else { return text }
    return TextOrder.lowercased(Array(text))[...]
  }
}
