/// Checks the extensions of a chunk, byte by byte from behind the first `;` (RFC 9112, 7.1.1).
///
/// Each is a name, and perhaps `=` and a value. None means anything here.
struct ChunkExtensions: Sendable {
  private enum Stage {
    case nameStart, name, afterName, valueStart, token, quoted, escaped, afterValue
  }

  private var stage = Stage.nameStart

  /// True if the extensions may end here.
  var isWhole: Bool { stage == .name || stage == .token || stage == .afterValue && !endsInSpace }
  /// True if the last byte was white space, which only stands before a `;` or `=`.
  private var endsInSpace = false

  /// Takes the next byte, which is no control character; returns false if it has no place there.
  mutating func take(_ byte: UInt8) -> Bool {
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

  /// The stage after a byte between two extensions, or before a `=`.
  private func next(_ byte: UInt8, _ stage: Stage) -> Stage? {
    if byte == UInt8(ascii: ";") { return .nameStart }
    return byte.isOptionalWhitespace ? stage : nil
  }
}
