extension JSONPointer {
  /// Finds the value that the pointer names in a text that contains exactly one value.
  ///
  /// Pointers of one token, which are the most frequent, are followed without copying the text.
  ///
  /// - Parameter text: A valid JSON value; it is not checked.
  /// - Returns: The range of the named value in the slice, or `nil` if there is none.
  /// - Complexity: O(length of the text).
  public func evaluate(in text: ArraySlice<UInt8>) -> Range<Int>? {
    guard let first else { return text.indices }
    let found: Range<Int>?
    if token(after: first) == nil {
      found = PlainScan.member(first, of: self, in: text)
    } else {
      let copy = Array(text)
      found = evaluate(in: copy, at: copy.indices)
    }
    guard let found else { return nil }
    return (text.startIndex &+ found.lowerBound)..<(text.startIndex &+ found.upperBound)
  }
}
