extension JSONPointer {
  /// Finds the value that the pointer names.
  ///
  /// Among duplicate members the last one counts.
  ///
  /// - Parameters:
  ///   - text: The bytes that contain a JSON value.
  ///   - range: The range of the value in `text`. It must be valid JSON.
  /// - Returns: The range of the named value, or `nil` if there is none.
  /// - Complexity: O(length of the value), for any length of the pointer.
  public func evaluate(in text: [UInt8], at range: Range<Int>) -> Range<Int>? {
    guard !tokens.isEmpty else { return range }
    var search = PointerSearch(
      tokens: tokens,
      reader: JSONReader(text, in: range, maxDepth: .max)
    )
    do throws(JSONError) {
      return try search.run()
    } catch {
      preconditionFailure("the value was not valid JSON")
    }
  }
}

/// A pass over a value that enters only containers on the pointer's path.
private struct PointerSearch {
  /// An array or object that is open.
  private enum Container {
    case object
    case array(next: Int)
  }

  let tokens: [JSONPointer.Token]
  var reader: JSONReader
  /// The open containers, outermost first.
  ///
  /// Container *n* belongs to token *n*.
  private var open: [Container] = []
  private var found: Range<Int>?

  init(tokens: [JSONPointer.Token], reader: JSONReader) {
    self.tokens = tokens
    self.reader = reader
  }

  mutating func run() throws(JSONError) -> Range<Int>? {
    _ = try enter()
    while !open.isEmpty {
      guard let isNamed = try advance() else {
        open.removeLast()
        continue
      }
      guard isNamed else {
        _ = try reader.skipValue()
        continue
      }
      // A duplicate member replaces the one before, with all that was found in it.
      found = nil
      if open.count == tokens.count {
        found = try reader.skipValue()
      } else if try !enter() {
        _ = try reader.skipValue()
      }
    }
    return found
  }

  /// Enters the next value and returns true if it is an array or object; else returns false.
  private mutating func enter() throws(JSONError) -> Bool {
    switch try reader.peekKind() {
    case .object:
      try reader.beginObject()
      open.append(.object)
    case .array:
      try reader.beginArray()
      open.append(.array(next: 0))
    default:
      return false
    }
    return true
  }

  /// Advances to the next member or element of the innermost container.
  ///
  /// Returns true if the token names it, or `nil` at the end of the container.
  private mutating func advance() throws(JSONError) -> Bool? {
    let token = tokens[open.count - 1]
    switch open[open.count - 1] {
    case .object:
      return try reader.nextMember()?.equals(token.name, in: reader.bytes)
    case .array(let next):
      open[open.count - 1] = .array(next: next + 1)
      return try reader.nextElement() ? next == token.index : nil
    }
  }
}
