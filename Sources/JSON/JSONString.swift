/// The position of a string in JSON text, not yet decoded.
public struct JSONString: Equatable, Sendable {
  /// The range of the bytes between the quotes.
  public var range: Range<Int>
  /// True if the string contains a backslash, so that it must be decoded.
  public var hasEscapes: Bool

  /// Creates a string from the range between its quotes.
  public init(range: Range<Int>, hasEscapes: Bool) {
    self.range = range
    self.hasEscapes = hasEscapes
  }
}
