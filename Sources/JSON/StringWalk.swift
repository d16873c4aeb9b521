/// The strings of a valid JSON value in order, without the names of members.
public struct StringWalk {
  private let text: ArraySlice<UInt8>
  /// The offset of the next byte, from the slice's start.
  private var offset = 0

  /// Creates a walk that starts at the first byte.
  ///
  /// - Parameter text: A valid JSON value; it is not checked.
  public init(_ text: ArraySlice<UInt8>) {
    self.text = text
  }

  /// Returns the bytes between the quotes of the next string, not decoded; `nil` at the end.
  ///
  /// - Complexity: O(distance to the end of the string), without allocation.
  public mutating func next() -> ArraySlice<UInt8>? {
    let text = text
    let span = text.span
    while offset < span.count {
      guard span[offset] == Ascii.quote else {
        offset &+= 1
        continue
      }
      let start = offset
      let end = PlainScan.string(span, start)
      offset = Scan.space(span, end)
      let isName = offset < span.count && span[offset] == Ascii.colon
      guard isName else {
        let first = text.startIndex &+ start &+ 1
        return text[first..<(text.startIndex &+ end &- 1)]
      }
    }
    return nil
  }
}
