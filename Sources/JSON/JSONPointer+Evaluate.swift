extension JSONPointer {
  /// Finds the value the pointer names.
  ///
  /// Of duplicate members the last one counts.
  ///
  /// - Parameters:
  ///   - text: Bytes that hold a JSON value somewhere.
  ///   - range: Where the value stands in `text`. It must be valid JSON.
  /// - Returns: Where the named value stands, or `nil` when there is none.
  /// - Complexity: O(length of the value) for each step.
  public func evaluate(in text: [UInt8], at range: Range<Int>) -> Range<Int>? {
    var found = range
    for token in tokens {
      guard let next = JSONPointer.step(token, in: text, at: found) else { return nil }
      found = next
    }
    return found
  }

  private static func step(
    _ token: Token,
    in text: [UInt8],
    at range: Range<Int>
  ) -> Range<Int>? {
    var reader = JSONReader(text, in: range, maxDepth: .max)
    do throws(JSONError) {
      switch try reader.peekKind() {
      case .object: return try member(token.name, &reader)
      case .array:
        return try token.index.flatMap { index throws(JSONError) in
          try element(index, &reader)
        }
      default: return nil
      }
    } catch {
      preconditionFailure("the value was not valid JSON")
    }
  }

  private static func member(
    _ name: [UInt8],
    _ reader: inout JSONReader
  ) throws(JSONError) -> Range<Int>? {
    var found: Range<Int>?
    try reader.beginObject()
    while let candidate = try reader.nextMember() {
      let value = try reader.skipValue()
      if candidate.equals(name, in: reader.bytes) {
        found = value
      }
    }
    return found
  }

  private static func element(
    _ index: Int,
    _ reader: inout JSONReader
  ) throws(JSONError) -> Range<Int>? {
    var position = 0
    try reader.beginArray()
    while try reader.nextElement() {
      let value = try reader.skipValue()
      if position == index { return value }
      position &+= 1
    }
    return nil
  }
}
