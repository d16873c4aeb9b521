extension JSONPointer {
  /// Finds the value the pointer names in a text that holds nothing else.
  ///
  /// A pointer of one step, which most are, is followed without copying anything.
  ///
  /// - Parameter text: A valid JSON value, of which nothing is checked.
  /// - Returns: Where the named value stands in the slice, or `nil` when there is none.
  /// - Complexity: O(length of the text).
  public func evaluate(in text: ArraySlice<UInt8>) -> Range<Int>? {
    guard !tokens.isEmpty else { return text.indices }
    let found: Range<Int>?
    if tokens.count == 1 {
      found = PlainScan.member(tokens[0], of: text)
    } else {
      let copy = Array(text)
      found = evaluate(in: copy, at: copy.indices)
    }
    guard let found else { return nil }
    return (text.startIndex &+ found.lowerBound)..<(text.startIndex &+ found.upperBound)
  }
}
