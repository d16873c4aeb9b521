import JSON
import TreeEngine

/// Decodes the vocabulary of requests from a body in one pass.
struct BodyDecoder: ~Copyable {
  var cursor: BodyCursor
  /// The operations read so far.
  var operations: [Operation] = []
  /// The nodes read so far.
  var nodes: [NewNode] = []
  /// The keys of operations that can name several nodes.
  var keys: [ByteSlice] = []
  /// The sort orders read so far.
  var orders: [SortOrder] = []
  /// The sections of roots, by their positions in `nodes`.
  var rootSections: [Int: ByteSlice] = [:]
  /// The range of the last of ``orders`` in the body.
  ///
  /// Batches often repeat one order.
  var lastOrder = 0..<0
  /// The slice of a literal `null`, for nodes without an object.
  private var nullLiteral: ByteSlice?

  /// Starts at the position of a cursor.
  init(_ cursor: BodyCursor) {
    self.cursor = cursor
  }

  /// Decodes a body.
  ///
  /// A syntax error is reported even if another fault comes before it.
  static func decode<Value>(
    _ body: [UInt8],
    _ limits: DecodingLimits,
    _ read: (inout BodyDecoder) throws(ServiceError) -> Value
  ) throws(ServiceError) -> Value {
    var decoder = BodyDecoder(BodyCursor(body, limits))
    do throws(ServiceError) {
      return try read(&decoder)
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

  /// Reads the key of a node.
  mutating func key() throws(ServiceError) -> ByteSlice {
    let key = try cursor.readString()
    guard 1...cursor.limits.maxKeyBytes ~= key.count else {
      throw cursor.invalid(KeyRules.advice(cursor.limits))
    }
    return key
  }

  /// Refuses the key of a new node that is not safe in a path.
  ///
  /// - Parameter key: The key, read from the object that was just left.
  /// - Throws: `invalid-request` with a pointer to the key.
  @inline(__always)
  func checkNew(_ key: ByteSlice) throws(ServiceError) {
    guard cursor.limits.requiresSafeNames, !KeyRules.isSafe(cursor.bytes(of: key)) else { return }
    throw cursor.invalid(KeyRules.safetyAdvice, member: "key")
  }

  /// Reads a list of keys, which may be empty and may repeat keys.
  mutating func keyList() throws(ServiceError) -> [ByteSlice] {
    var keys: [ByteSlice] = []
    try cursor.beginArray()
    while try cursor.nextElement() {
      keys.append(try key())
    }
    return keys
  }

  /// Reads a list of one or more distinct keys and returns its range in ``keys``.
  mutating func distinctKeys() throws(ServiceError) -> PackedRange {
    let start = keys.count
    // These are copies. Slices would share the buffer, and each string with escapes would copy it.
    var known: Set<[UInt8]> = []
    try cursor.beginArray()
    while try cursor.nextElement() {
      let key = try key()
      guard known.insert(Array(cursor.bytes(of: key))).inserted else {
        throw cursor.invalid("This key comes twice; name each node once.")
      }
      keys.append(key)
    }
    guard keys.count > start else {
      throw cursor.invalid("The list is empty; name at least one node.")
    }
    return PackedRange(start..<keys.count)
  }

  /// Reads an object or a merge patch as raw JSON.
  mutating func rawValue() throws(ServiceError) -> ByteSlice {
    let range = try cursor.skipObject()
    let limit = cursor.limits.maxObjectBytes
    guard range.count <= limit else {
      throw cursor.tooLarge(
        "This has more than \(limit) bytes; store less in one node.",
        limit: limit
      )
    }
    return ByteSlice(range)
  }

  /// Returns the slice of a literal `null`.
  mutating func null() -> ByteSlice {
    if let nullLiteral { return nullLiteral }
    let literal = cursor.append("null".utf8)
    nullLiteral = literal
    return literal
  }
}
