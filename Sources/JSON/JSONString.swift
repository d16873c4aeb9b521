/// Where a string stands in JSON text, not yet decoded.
public struct JSONString: Equatable, Sendable {
  /// The bytes between the quotes.
  public var range: Range<Int>
  /// Whether a backslash occurs, so that the bytes must be decoded before they mean anything.
  public var hasEscapes: Bool

  /// Makes a string from the bytes between its quotes.
  public init(range: Range<Int>, hasEscapes: Bool) {
    self.range = range
    self.hasEscapes = hasEscapes
  }
}
