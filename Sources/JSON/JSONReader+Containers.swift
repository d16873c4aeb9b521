extension JSONReader {
  /// Enters an object.
  ///
  /// - Throws: ``JSONError/Reason/wrongType`` when the next value is none, or a syntax fault.
  public mutating func beginObject() throws(JSONError) {
    try begin(.object)
  }

  /// Enters an array.
  ///
  /// - Throws: ``JSONError/Reason/wrongType`` when the next value is none, or a syntax fault.
  public mutating func beginArray() throws(JSONError) {
    try begin(.array)
  }

  /// Reads the next member's name and colon; its value must be read next.
  ///
  /// - Returns: The name, or `nil` when the object has ended and was left.
  /// - Throws: A syntax fault.
  public mutating func nextMember() throws(JSONError) -> JSONString? {
    guard try advance(closing: Ascii.closeBrace) else { return nil }
    guard offset < end else { throw JSONError(.unexpectedEnd, at: offset) }
    guard bytes[offset] == Ascii.quote else { throw JSONError(.unexpectedByte, at: offset) }
    let name = try Scan.string(bytes.span.extracting(..<end), offset)
    offset = try Scan.punctuation(
      Ascii.colon,
      bytes.span.extracting(..<end),
      name.range.upperBound &+ 1
    )
    return name
  }

  /// Steps to the next element, which must be read next.
  ///
  /// - Returns: `false` when the array has ended and was left.
  /// - Throws: A syntax fault.
  public mutating func nextElement() throws(JSONError) -> Bool {
    try advance(closing: Ascii.closeBracket)
  }

  /// Goes on inside an object that was entered, and whose members up to an offset were read,
  /// otherwise.
  ///
  /// - Parameters:
  ///   - offset: The offset behind the opening brace or the last value that was read.
  ///   - isAtFirst: Whether none was.
  public mutating func enterObject(at offset: Int, isAtFirst: Bool) {
    depth &+= 1
    self.offset = offset
    self.isAtFirst = isAtFirst
  }

  /// Goes on behind what was read otherwise: members of an open object or a value.
  public mutating func resume(at offset: Int) {
    self.offset = offset
    isAtFirst = false
  }

  /// Goes on behind an object whose last members were read otherwise, with its closing brace.
  public mutating func leaveObject(at offset: Int) {
    precondition(depth > 0, "no object is open")
    depth &-= 1
    resume(at: offset)
  }

  private mutating func begin(_ kind: JSONKind) throws(JSONError) {
    guard try peekKind() == kind else { throw JSONError(.wrongType, at: offset) }
    guard depth < maxDepth else { throw JSONError(.tooDeep(limit: maxDepth), at: offset) }
    depth &+= 1
    offset &+= 1
    isAtFirst = true
  }

  /// Passes a comma, or the closing bracket, and the white space about it.
  private mutating func advance(closing: UInt8) throws(JSONError) -> Bool {
    precondition(depth > 0, "no array or object is open")
    offset = Scan.space(bytes.span.extracting(..<end), offset)
    guard offset < end else { throw JSONError(.unexpectedEnd, at: offset) }
    if bytes[offset] == closing {
      offset &+= 1
      depth &-= 1
      isAtFirst = false
      return false
    }
    if isAtFirst {
      isAtFirst = false
      return true
    }
    offset = try Scan.punctuation(Ascii.comma, bytes.span.extracting(..<end), offset)
    offset = Scan.space(bytes.span.extracting(..<end), offset)
    return true
  }
}
