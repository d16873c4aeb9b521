extension JSONReader {
  /// Enters an object.
  ///
  /// - Throws: ``JSONError/Reason/wrongType`` if the next value is no object, or a syntax fault.
  public mutating func beginObject() throws(JSONError) {
    try begin(.object)
  }

  /// Enters an array.
  ///
  /// - Throws: ``JSONError/Reason/wrongType`` if the next value is no array, or a syntax fault.
  public mutating func beginArray() throws(JSONError) {
    try begin(.array)
  }

  /// Reads the next member's name and colon.
  ///
  /// The caller must read its value next.
  ///
  /// - Returns: The name, or `nil` at the end of the object, which is then closed.
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

  /// Advances to the next element, which the caller must read next.
  ///
  /// - Returns: False at the end of the array, which is then closed.
  /// - Throws: A syntax fault.
  public mutating func nextElement() throws(JSONError) -> Bool {
    try advance(closing: Ascii.closeBracket)
  }

  /// Continues inside an object whose beginning another reader has read.
  ///
  /// - Parameters:
  ///   - offset: The offset behind the opening brace or behind the last value read.
  ///   - isAtFirst: True if no member was read yet.
  public mutating func enterObject(at offset: Int, isAtFirst: Bool) {
    depth &+= 1
    self.offset = offset
    self.isAtFirst = isAtFirst
  }

  /// Continues behind members or a value that another reader has read.
  public mutating func resume(at offset: Int) {
    self.offset = offset
    isAtFirst = false
  }

  /// Closes an object whose last members and closing brace another reader has read.
  ///
  /// - Precondition: An object is open.
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

  /// Consumes a comma or the closing bracket, with the white space around it.
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
