import JSON

/// Reads the body of a request and knows its position.
///
/// It wraps a ``JSONReader`` and converts all errors to ``ServiceError``. A syntax error is
/// `malformed-json` with its offset. Any other error of the reader is `invalid-request` with a
/// pointer.
struct BodyCursor {
  /// A step of the path to the current position.
  ///
  /// The pointer is made only if it is needed.
  enum Step {
    case member(JSONString)
    case element(Int)
  }

  let limits: DecodingLimits
  /// The index of the current operation.
  var operation: Int?
  var reader: JSONReader
  private(set) var path: [Step] = []
  /// The unknown member that was refused, and its depth in the body.
  private(set) var unknownMember: (name: [UInt8], depth: Int)?
  /// The bytes after the body: decoded strings with escapes.
  var appended: [UInt8] = []

  /// The offset from which on ``checkIfDue()`` next asks the control.
  private var nextCheck: Int

  /// The number of bytes between two checks.
  ///
  /// Reading them takes about 0.1 ms.
  private static let checkInterval = 16_384

  init(_ body: [UInt8], _ limits: DecodingLimits) {
    self.limits = limits
    nextCheck = limits.supervision.control == nil ? .max : Self.checkInterval
    reader = JSONReader(body, maxDepth: limits.maxJSONDepth)
  }

  /// Decodes a body.
  ///
  /// A syntax error is reported even if another fault comes before it.
  static func decode<Value>(
    _ body: [UInt8],
    _ limits: DecodingLimits,
    _ read: (inout BodyCursor) throws(ServiceError) -> Value
  ) throws(ServiceError) -> Value {
    try preferringSyntaxFaults(of: body, limits) { () throws(ServiceError) in
      var cursor = BodyCursor(body, limits)
      return try read(&cursor)
    }
  }

  /// Runs the decoding of a body.
  ///
  /// - Throws: The syntax error of the body if it has one and the decoding fails, even if another
  ///   fault comes before it; otherwise the error of the decoding. `overloaded` in any case.
  static func preferringSyntaxFaults<Value>(
    of body: [UInt8],
    _ limits: DecodingLimits,
    _ decode: () throws(ServiceError) -> Value
  ) throws(ServiceError) -> Value {
    do throws(ServiceError) {
      return try decode()
    } catch {
      // An error that stopped the work is independent of the body.
      if error.code == .overloaded { throw error }
      throw syntaxFault(of: body, limits) ?? error
    }
  }

  private static func syntaxFault(of body: [UInt8], _ limits: DecodingLimits) -> ServiceError? {
    guard !body.isEmpty else { return nil }
    do throws(JSONError) {
      _ = try JSONReader.validate(body, maxDepth: limits.maxBodyDepth)
      return nil
    } catch {
      return ServiceError(error)
    }
  }

  /// Starts again at a value somewhere in the text and discards the state.
  mutating func restart(in range: Range<Int>) {
    reader = JSONReader(reader.bytes, in: range, maxDepth: limits.maxJSONDepth)
    path.removeAll(keepingCapacity: true)
    appended.removeAll(keepingCapacity: true)
  }

  /// The offset of the first unread byte.
  var offset: Int { reader.offset }

  /// The bytes that all slices refer to: the body and the appended strings.
  var bytes: [UInt8] {
    appended.isEmpty ? reader.bytes : reader.bytes + appended
  }

  /// Appends bytes after the body and returns their slice.
  mutating func append(_ bytes: some Sequence<UInt8>) -> ByteSlice {
    let start = appended.count
    appended.append(contentsOf: bytes)
    return ByteSlice(offset: reader.bytes.count + start, count: appended.count - start)
  }

  /// Returns true if the next bytes equal those in an earlier range.
  func continues(with earlier: Range<Int>) -> Bool {
    let end = offset + earlier.count
    return end <= reader.bytes.count
      && reader.bytes[offset..<end].elementsEqual(reader.bytes[earlier])
  }

  mutating func peekKind() throws(ServiceError) -> JSONKind {
    do throws(JSONError) { return try reader.peekKind() } catch { throw failure(error) }
  }

  mutating func beginObject() throws(ServiceError) {
    try expect(.object, "an object")
    do throws(JSONError) { try reader.beginObject() } catch { throw failure(error) }
    // A list of operations has a depth of 2, and its nodes are a little deeper.
    if path.isEmpty { path.reserveCapacity(6) }
    path.append(.element(-1))
  }

  /// Returns the place before the first member of the next object without entering it.
  mutating func objectPlace() throws(ServiceError) -> MemberPlace {
    try expect(.object, "an object")
    return MemberPlace(offset: offset + 1, isAtFirst: true)
  }

  /// Enters an object whose members before a place were read already.
  mutating func enterObject(at place: MemberPlace) {
    reader.enterObject(at: place.offset, isAtFirst: place.isAtFirst)
    path.append(.element(-1))
  }

  /// Continues after a value, or inside the open object.
  mutating func resume(at offset: Int) { reader.resume(at: offset) }

  /// Leaves the open object and continues at an offset.
  mutating func leaveObject(at offset: Int) {
    reader.leaveObject(at: offset)
    path.removeLast()
  }

  /// Asks the control whether decoding may continue, if enough bytes were read.
  ///
  /// - Throws: The error of the control.
  @inline(__always)
  mutating func checkIfDue() throws(ServiceError) {
    if offset >= nextCheck { try check() }
  }

  /// Asks the control whether decoding may continue.
  ///
  /// - Throws: The error of the control.
  @inline(never)
  private mutating func check() throws(ServiceError) {
    nextCheck = offset + Self.checkInterval
    try limits.supervision.control?.check()
  }

  /// Reads the next member's name.
  ///
  /// At the end of the object, leaves it and returns `nil`.
  mutating func nextName() throws(ServiceError) -> JSONString? {
    try checkIfDue()
    do throws(JSONError) {
      guard let name = try reader.nextMember() else {
        path.removeLast()
        return nil
      }
      path[path.count - 1] = .member(name)
      return name
    } catch {
      throw failure(error)
    }
  }

  /// Reads the next member's field.
  ///
  /// At the end of the object, leaves it and returns `nil`. Unknown and repeated members are
  /// refused.
  mutating func nextField<Field>(
    of table: FieldTable<Field>,
    _ seen: inout SeenMembers
  ) throws(ServiceError) -> Field? {
    guard let name = try nextName() else { return nil }
    guard let position = table.names.position(of: name, in: reader.bytes) else {
      let written = name.decoded(from: reader.bytes)
      unknownMember = (written, path.count)
      throw invalid(NameAdvice.unknown("member", written, among: table.texts))
    }
    guard seen.insert(position) else {
      throw invalid("This member comes twice; give it once.")
    }
    return table.fields[position]
  }

  mutating func beginArray() throws(ServiceError) {
    try expect(.array, "an array")
    do throws(JSONError) { try reader.beginArray() } catch { throw failure(error) }
    path.append(.element(-1))
  }

  /// Sets the index of the element that was read last; -1 for none.
  mutating func setElement(_ index: Int) { path[path.count - 1] = .element(index) }

  /// Moves to the next element.
  ///
  /// At the end of the array, leaves it and returns `false`.
  mutating func nextElement() throws(ServiceError) -> Bool {
    try checkIfDue()
    do throws(JSONError) {
      guard try reader.nextElement() else {
        path.removeLast()
        return false
      }
    } catch {
      throw failure(error)
    }
    guard case .element(let index) = path[path.count - 1] else {
      preconditionFailure("an element is asked for inside an object")
    }
    path[path.count - 1] = .element(index + 1)
    return true
  }

  mutating func finish() throws(ServiceError) {
    do throws(JSONError) { try reader.finish() } catch { throw failure(error) }
  }
}
