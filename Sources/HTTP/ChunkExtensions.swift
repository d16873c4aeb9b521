/// A validator of chunk extensions, fed byte by byte after the first `;` (RFC 9112, 7.1.1).
///
/// Each extension is a name, optionally with `=` and a value. All are ignored.
struct ChunkExtensions: Sendable {
  private enum Stage {
    case nameStart, name, afterName, valueStart, token, quoted, escaped, afterValue
  }

  private var stage = Stage.nameStart

  /// True if the extensions may end here.
  var isWhole: Bool { stage == .name || stage == .token || stage == .afterValue && !endsInSpace }
  /// True if the last byte was white space, which is only allowed before a `;` or `=`.
  private var endsInSpace = false

  /// Parses a byte that is no control character; returns false if it is not allowed here.
  mutating func parse(_ byte: UInt8) -> Bool {
    guard let next = stage(after: byte) else { return false }
    endsInSpace = byte.isOptionalWhitespace
    stage = next
    return true
  }

  private func stage(after byte: UInt8) -> Stage? {
    switch stage {
    case .nameStart where byte.isOptionalWhitespace, .valueStart where byte.isOptionalWhitespace:
      stage
    case .nameStart: byte.isTokenCharacter ? .name : nil
    case .name where byte.isTokenCharacter: .name
    case .name, .afterName: byte == UInt8(ascii: "=") ? .valueStart : next(byte, .afterName)
    case .valueStart where byte == UInt8(ascii: "\""): .quoted
    case .valueStart: byte.isTokenCharacter ? .token : nil
    case .token where byte.isTokenCharacter: .token
    case .token, .afterValue: next(byte, .afterValue)
    case .quoted where byte == UInt8(ascii: "\""): .afterValue
    case .quoted: byte == UInt8(ascii: "\\") ? .escaped : .quoted
    case .escaped: .quoted
    }
  }

  /// Returns the stage after a byte that follows an extension's name or value.
  private func next(_ byte: UInt8, _ stage: Stage) -> Stage? {
    if byte == UInt8(ascii: ";") { return .nameStart }
    return byte.isOptionalWhitespace ? stage : nil
  }
}
