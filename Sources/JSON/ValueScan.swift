/// Passes a whole value of any shape, checking everything, without recursion.
@usableFromInline
enum ValueScan {
  /// What is due: of a member a name, or a name that needs care and its value.
  enum Due {
    case value, name, namedValue, behindValue, behindObject
  }

  /// The offset behind the value whose first byte stands at `start`.
  ///
  /// At most `maxDepth` arrays and objects may be open at once, with the `depth` ones that the
  /// value stands in. Linear in the value's length.
  @usableFromInline
  @inline(never)
  static func end(
    _ text: Span<UInt8>,
    from start: Int,
    depth: Int,
    maxDepth: Int
  ) throws(JSONError) -> Int {
    // An object of scalars, which most are, needs no stack.
    guard
      Scan.byte(text, start) == Ascii.openBrace, Scan.byte(text, start &+ 1) == Ascii.quote,
      depth < maxDepth
    else { return try end(text, from: start, .value, inObject: false, depth, maxDepth) }
    let plain = PlainMembers.end(text, from: start &+ 1)
    if plain.due == .behindObject { return plain.offset }
    return try end(text, from: plain.offset, plain.due, inObject: true, depth, maxDepth)
  }

  /// The same from where something is due, inside of the value if that is an object.
  @inline(never)
  private static func end(
    _ text: Span<UInt8>,
    from start: Int,
    _ first: Due,
    inObject: Bool,
    _ depth: Int,
    _ maxDepth: Int
  ) throws(JSONError) -> Int {
    var open = ContainerStack()
    if inObject { open.push(isObject: true) }
    var i = start
    var due = first
    while true {
      switch due {
      case .value:
        guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
        guard text[i] | 0x20 == Ascii.openBrace else {
          i = try Scan.scalar(text, i)
          due = .behindValue
          continue
        }
        guard open.depth < maxDepth &- depth else {
          throw JSONError(.tooDeep(limit: maxDepth), at: i)
        }
        due = try enter(text, &i, &open)
      case .name:
        (i, due) = PlainMembers.end(text, from: i)
      case .namedValue:
        i = try nameAndColon(text, i)
        due = .value
      case .behindObject:
        open.pop()
        due = .behindValue
      case .behindValue:
        if open.depth == 0 { return i }
        due = try proceed(text, &i, &open)
      }
    }
  }

  /// Enters the array or object that begins at `i`, and leaves it where it is empty.
  @inline(__always)
  private static func enter(
    _ text: Span<UInt8>,
    _ i: inout Int,
    _ open: inout ContainerStack
  ) throws(JSONError) -> Due {
    let isObject = text[i] == Ascii.openBrace
    i = Scan.space(text, i &+ 1)
    guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
    if text[i] == (isObject ? Ascii.closeBrace : Ascii.closeBracket) {
      i &+= 1
      return .behindValue
    }
    open.push(isObject: isObject)
    return isObject ? try name(text, i) : .value
  }

  /// Passes the comma behind a value, or leaves the array or object that it is the last of.
  @inline(__always)
  private static func proceed(
    _ text: Span<UInt8>,
    _ i: inout Int,
    _ open: inout ContainerStack
  ) throws(JSONError) -> Due {
    i = Scan.space(text, i)
    guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
    let isObject = open.isInObject
    if text[i] == Ascii.comma {
      i = Scan.space(text, i &+ 1)
      return isObject ? try name(text, i) : .value
    }
    guard text[i] == (isObject ? Ascii.closeBrace : Ascii.closeBracket) else {
      throw JSONError(.unexpectedByte, at: i)
    }
    open.pop()
    i &+= 1
    return .behindValue
  }

  /// Makes sure that a name begins.
  @inline(__always)
  private static func name(_ text: Span<UInt8>, _ i: Int) throws(JSONError) -> Due {
    guard i < text.count else { throw JSONError(.unexpectedEnd, at: i) }
    guard text[i] == Ascii.quote else { throw JSONError(.unexpectedByte, at: i) }
    return .name
  }

  @inline(__always)
  private static func nameAndColon(_ text: Span<UInt8>, _ i: Int) throws(JSONError) -> Int {
    let behind = try Scan.punctuation(Ascii.colon, text, try Scan.stringEnd(text, i))
    return Scan.space(text, behind)
  }
}
