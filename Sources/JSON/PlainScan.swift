/// Walks through JSON that is known to be valid, without checks.
///
/// Each function takes the offset of a value's first byte and reads no byte behind the value.
enum PlainScan {
  /// Returns the range of the member or element that a token names, from the slice's start.
  static func member(
    _ token: JSONPointer.Token,
    of pointer: JSONPointer,
    in slice: ArraySlice<UInt8>
  ) -> Range<Int>? {
    let text = slice.span
    let start = Scan.space(text, 0)
    switch text[start] {
    case Ascii.openBrace: return named(pointer.name(of: token), from: start, in: text, slice)
    case Ascii.openBracket:
      return pointer.index(of: token).flatMap { element($0, from: start, in: text) }
    default: return nil
    }
  }

  /// Returns the last member with a name.
  ///
  /// The object begins at `start`.
  private static func named(
    _ name: ArraySlice<UInt8>,
    from start: Int,
    in text: Span<UInt8>,
    _ slice: ArraySlice<UInt8>
  ) -> Range<Int>? {
    var found: Range<Int>?
    var i = Scan.space(text, start &+ 1)
    while text[i] == Ascii.quote {
      let nameEnd = string(text, i)
      let value = Scan.space(text, Scan.space(text, nameEnd) &+ 1)
      let end = self.end(text, value)
      if isString(text, i, nameEnd, name, slice) { found = value..<end }
      i = Scan.space(text, end)
      if text[i] == Ascii.comma { i = Scan.space(text, i &+ 1) }
    }
    return found
  }

  /// Returns the element at an index.
  ///
  /// The array begins at `start`.
  private static func element(
    _ index: Int,
    from start: Int,
    in text: Span<UInt8>
  ) -> Range<Int>? {
    var rest = index
    var i = Scan.space(text, start &+ 1)
    while text[i] != Ascii.closeBracket {
      let end = self.end(text, i)
      if rest == 0 { return i..<end }
      rest &-= 1
      i = Scan.space(text, end)
      if text[i] == Ascii.comma { i = Scan.space(text, i &+ 1) }
    }
    return nil
  }

  /// Returns true if the string at `start..<end`, quotes included, decodes to some bytes.
  static func isString(
    _ text: Span<UInt8>,
    _ start: Int,
    _ end: Int,
    _ other: ArraySlice<UInt8>,
    _ slice: ArraySlice<UInt8>
  ) -> Bool {
    guard end &- start &- 2 >= other.count else { return false }
    var isSame = end &- start &- 2 == other.count
    var k = 0
    while isSame, k < other.count {
      isSame = text[start &+ 1 &+ k] == other[other.startIndex &+ k]
      k &+= 1
    }
    if isSame { return !other.contains(Ascii.backslash) }
    let name = slice[(slice.startIndex &+ start &+ 1)..<(slice.startIndex &+ end &- 1)]
    guard name.contains(Ascii.backslash) else { return false }
    let copy = Array(name)
    return JSONString(range: copy.indices, hasEscapes: true).equals(other, in: copy)
  }

  /// Returns the offset behind the value at `start`.
  static func end(_ text: Span<UInt8>, _ start: Int) -> Int {
    switch text[start] {
    case Ascii.quote: return string(text, start)
    case Ascii.openBrace, Ascii.openBracket: return container(text, start)
    default:
      var i = start
      while i < text.count, !isEnd(text[i]) { i &+= 1 }
      return i
    }
  }

  /// Returns the offset behind the string whose opening quote is at `start`.
  static func string(_ text: Span<UInt8>, _ start: Int) -> Int {
    var i = Scan.plain(text, start &+ 1)
    while text[i] != Ascii.quote {
      i = Scan.plain(text, i &+ (text[i] == Ascii.backslash ? 2 : 1))
    }
    return i &+ 1
  }

  private static func container(_ text: Span<UInt8>, _ start: Int) -> Int {
    var depth = 0
    var i = start
    repeat {
      switch text[i] {
      case Ascii.quote: i = string(text, i) &- 1
      case Ascii.openBrace, Ascii.openBracket: depth &+= 1
      case Ascii.closeBrace, Ascii.closeBracket: depth &-= 1
      default: break
      }
      i &+= 1
    } while depth > 0
    return i
  }

  /// Returns true if a byte ends a number or a literal before it.
  private static func isEnd(_ byte: UInt8) -> Bool {
    byte <= Ascii.space || byte == Ascii.comma || byte == Ascii.closeBrace
      || byte == Ascii.closeBracket
  }
}
