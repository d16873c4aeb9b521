/// Passes a whole value of any shape, checking everything, without recursion.
struct ValueScan {
  private var open = ContainerStack()
  /// How many arrays and objects the value stands in.
  private let depth: Int
  private let maxDepth: Int

  private init(depth: Int, maxDepth: Int) {
    self.depth = depth
    self.maxDepth = maxDepth
  }

  /// The offset behind the value whose first byte stands at `start`.
  ///
  /// At most `maxDepth` arrays and objects may be open at once, with the `depth` ones that the
  /// value stands in. Linear in the value's length.
  static func end(
    _ text: Span<UInt8>,
    from start: Int,
    depth: Int,
    maxDepth: Int
  ) throws(JSONError) -> Int {
    guard start < text.count else { throw JSONError(.unexpectedEnd, at: start) }
    guard text[start] == Ascii.openBrace || text[start] == Ascii.openBracket else {
      return try Scan.scalar(text, start)
    }
    var scan = ValueScan(depth: depth, maxDepth: maxDepth)
    return try scan.run(text, start)
  }

  /// Alternates between the start of a value and what follows one until all is closed.
  private mutating func run(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    var i = start
    while true {
      guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
      let byte = text[i]
      if byte == Ascii.openBrace || byte == Ascii.openBracket {
        i = try begin(isObject: byte == Ascii.openBrace, text, i)
        if let first = try firstInside(text, i) {
          i = first
          continue
        }
      } else {
        i = try Scan.scalar(text, i)
      }
      i = try proceed(text, i)
      if open.depth == 0 { return i }
    }
  }

  private mutating func begin(
    isObject: Bool,
    _ text: Span<UInt8>,
    _ i: Int
  ) throws(JSONError) -> Int {
    guard open.depth < maxDepth &- depth else { throw JSONError(.tooDeep(limit: maxDepth), at: i) }
    open.push(isObject: isObject)
    return Scan.space(text, i &+ 1)
  }

  /// Where the first value of a container just begun stands, or `nil` when it is empty.
  ///
  /// Of an empty one the closing bracket is left to ``proceed``.
  private func firstInside(_ text: Span<UInt8>, _ i: Int) throws(JSONError) -> Int? {
    guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
    let closing = open.isInObject ? Ascii.closeBrace : Ascii.closeBracket
    guard text[i] != closing else { return nil }
    return open.isInObject ? try nameAndColon(text, i) : i
  }

  /// After a value: closes what closes, and stops at the start of the next value.
  private mutating func proceed(_ text: Span<UInt8>, _ start: Int) throws(JSONError) -> Int {
    var i = start
    while open.depth > 0 {
      i = Scan.space(text, i)
      guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
      let isObject = open.isInObject
      switch text[i] {
      case Ascii.comma:
        i = Scan.space(text, i &+ 1)
        return isObject ? try nameAndColon(text, i) : i
      case isObject ? Ascii.closeBrace : Ascii.closeBracket:
        open.pop()
        i &+= 1
      default:
        throw JSONError(.unexpectedByte, at: i)
      }
    }
    return i
  }

  private func nameAndColon(_ text: Span<UInt8>, _ i: Int) throws(JSONError) -> Int {
    guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
    guard text[i] == Ascii.quote else { throw JSONError(.unexpectedByte, at: i) }
    let name = try Scan.string(text, i)
    let behind = try Scan.punctuation(Ascii.colon, text, name.range.upperBound &+ 1)
    return Scan.space(text, behind)
  }
}
