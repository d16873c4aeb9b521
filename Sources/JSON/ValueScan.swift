/// Skips and validates a value of any shape, without recursion.
@usableFromInline
enum ValueScan {
  /// Returns the offset behind the value whose first byte is at `start`.
  ///
  /// `depth` containers are open around the value. They count towards the limit of `maxDepth`.
  ///
  /// - Complexity: O(length of the value).
  @usableFromInline
  @inline(never)
  static func end(
    _ text: Span<UInt8>,
    from start: Int,
    depth: Int,
    maxDepth: Int
  ) throws(JSONError) -> Int {
    if let first = Scan.byte(text, start), first | 0x20 == Ascii.openBrace,
      let end = PlainValue.end(text, from: start, levels: maxDepth &- depth)
    {
      return end
    }
    return try walk(text, from: start, depth: depth, maxDepth: maxDepth)
  }

  /// Does the same as ``end`` with a stack of the open containers.
  @inline(never)
  private static func walk(
    _ text: Span<UInt8>,
    from start: Int,
    depth: Int,
    maxDepth: Int
  ) throws(JSONError) -> Int {
    var open = ContainerStack()
    var i = start
    repeat {
      guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
      let byte = text[i]
      if byte | 0x20 == Ascii.openBrace {
        guard open.depth < maxDepth &- depth else {
          throw JSONError(.tooDeep(limit: maxDepth), at: i)
        }
        open.push(isObject: byte == Ascii.openBrace)
        if let first = try firstInside(text, i, isObject: byte == Ascii.openBrace) {
          i = first
          continue
        }
        i = Scan.space(text, i &+ 1)
      } else {
        i = try Scan.scalar(text, i)
      }
      i = try proceed(text, i, &open)
    } while open.depth > 0
    return i
  }

  /// Returns the offset of the first value of a container, or `nil` if the container is empty.
  @inline(__always)
  private static func firstInside(
    _ text: Span<UInt8>,
    _ start: Int,
    isObject: Bool
  ) throws(JSONError) -> Int? {
    let i = Scan.space(text, start &+ 1)
    guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
    guard text[i] != (isObject ? Ascii.closeBrace : Ascii.closeBracket) else { return nil }
    return isObject ? try nameAndColon(text, i) : i
  }

  /// Closes the containers that end after a value, and returns the offset of the next value.
  @inline(__always)
  private static func proceed(
    _ text: Span<UInt8>,
    _ start: Int,
    _ open: inout ContainerStack
  ) throws(JSONError) -> Int {
    var i = start
    while open.depth > 0 {
      i = Scan.space(text, i)
      guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
      let isObject = open.isInObject
      if text[i] == Ascii.comma {
        i = Scan.space(text, i &+ 1)
        return isObject ? try nameAndColon(text, i) : i
      }
      guard text[i] == (isObject ? Ascii.closeBrace : Ascii.closeBracket) else {
        throw JSONError(.unexpectedByte, at: i)
      }
      open.pop()
      i &+= 1
    }
    return i
  }

  @inline(__always)
  private static func nameAndColon(_ text: Span<UInt8>, _ i: Int) throws(JSONError) -> Int {
    guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
    guard text[i] == Ascii.quote else { throw JSONError(.unexpectedByte, at: i) }
    let behind = try Scan.punctuation(Ascii.colon, text, try Scan.stringEnd(text, i))
    return Scan.space(text, behind)
  }
}
