import JSON

/// Walks a request's body, knowing at each step where it is.
///
/// Wraps a ``JSONReader`` so that every fault is a ``ServiceError``: one of syntax is
/// `malformed-json` with its offset, anything else `invalid-request` with a pointer to the place.
struct BodyCursor {
  /// A step of the way from the top of the body; its place is found out only if it is needed.
  enum Step {
    case member(JSONString)
    case element(Int)
  }

  let limits: DecodingLimits
  /// The index of the operation being read.
  var operation: Int?
  var reader: JSONReader
  private(set) var path: [Step] = []
  /// The unknown member that was refused, and how many steps from the top it is.
  private(set) var unknownMember: (name: [UInt8], depth: Int)?
  /// What goes behind the body: the strings that had escapes.
  var appended: [UInt8] = []

  /// The offset at which the control is asked next.
  private var nextCheck: Int

  /// The number of bytes that are read between two checks; about 0.1 ms of work.
  private static let checkInterval = 16_384

  init(_ body: [UInt8], _ limits: DecodingLimits) {
    self.limits = limits
    nextCheck = limits.supervision.control == nil ? .max : Self.checkInterval
    reader = JSONReader(body, maxDepth: limits.maxJSONDepth)
  }

  /// Begins anew at a value that stands somewhere in the text; what was read is forgotten.
  mutating func restart(in range: Range<Int>) {
    reader = JSONReader(reader.bytes, in: range, maxDepth: limits.maxJSONDepth)
    path.removeAll(keepingCapacity: true)
    appended.removeAll(keepingCapacity: true)
  }

  /// The offset of the first byte not read yet.
  var offset: Int { reader.offset }

  /// Everything that slices point into: the body, and what was appended.
  var bytes: [UInt8] {
    appended.isEmpty ? reader.bytes : reader.bytes + appended
  }

  /// Puts bytes behind the body, and says where.
  mutating func append(_ bytes: some Sequence<UInt8>) -> ByteSlice {
    let start = appended.count
    appended.append(contentsOf: bytes)
    return ByteSlice(offset: reader.bytes.count + start, count: appended.count - start)
  }

  /// Whether the text goes on with the bytes it has at an earlier place.
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
    // A list of operations is two deep, and what they bring a little more.
    if path.isEmpty { path.reserveCapacity(6) }
    path.append(.element(-1))
  }

  /// The place before the first member of the object that comes next, which is not entered.
  mutating func objectPlace() throws(ServiceError) -> MemberPlace {
    try expect(.object, "an object")
    return MemberPlace(offset: offset + 1, isAtFirst: true)
  }

  /// Enters an object whose members before a place were read otherwise.
  mutating func enterObject(at place: MemberPlace) {
    reader.enterObject(at: place.offset, isAtFirst: place.isAtFirst)
    path.append(.element(-1))
  }

  /// Goes on behind a value, or inside the object that is open.
  mutating func resume(at offset: Int) { reader.resume(at: offset) }

  /// Goes on behind the object that is open.
  mutating func leaveObject(at offset: Int) {
    reader.leaveObject(at: offset)
    path.removeLast()
  }

  /// Asks the control if the reading may go on, once so many bytes have been read.
  ///
  /// - Throws: What the control throws.
  @inline(__always)
  mutating func checkIfDue() throws(ServiceError) {
    if offset >= nextCheck { try check() }
  }

  /// Asks the control if the reading may go on.
  ///
  /// - Throws: What the control throws.
  @inline(never)
  private mutating func check() throws(ServiceError) {
    nextCheck = offset + Self.checkInterval
    try limits.supervision.control?.check()
  }

  /// The next member's name; `nil` at the end, when the object has been left.
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

  /// The next member's field; `nil` at the end, when the object has been left.
  ///
  /// Unknown members and those that come twice are refused.
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

  /// Says which element of an array was read last; -1 where none was.
  mutating func setElement(_ index: Int) { path[path.count - 1] = .element(index) }

  /// Steps to the next element; `false` at the end, when the array has been left.
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
