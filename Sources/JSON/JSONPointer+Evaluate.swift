extension JSONPointer {
  /// Finds the value the pointer names.
  ///
  /// Of duplicate members the last one counts.
  ///
  /// - Parameters:
  ///   - text: Bytes that hold a JSON value somewhere.
  ///   - range: Where the value stands in `text`. It must be valid JSON.
  /// - Returns: Where the named value stands, or `nil` when there is none.
  /// - Complexity: O(length of the value), however many steps the pointer has.
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

/// One pass over a value, entering only what the pointer leads to.
private struct PointerSearch {
  /// An array or object that was entered.
  private enum Container {
    case object
    case array(next: Int)
  }

  let tokens: [JSONPointer.Token]
  var reader: JSONReader
  /// What was entered, outermost first; each level belongs to one token.
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
      // A member that comes again counts instead of the one before, whatever was found in that.
      found = nil
      if open.count == tokens.count {
        found = try reader.skipValue()
      } else if try !enter() {
        _ = try reader.skipValue()
      }
    }
    return found
  }

  /// Enters the next value, unless it has nothing inside it.
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

  /// Steps to the next member or element of the innermost container.
  ///
  /// Returns whether the token names it, or `nil` at the end.
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
