import JSON
import TreeEngine

/// The members of a batch.
private enum BatchField: String, CaseIterable {
  case operations
  static let table = FieldTable<BatchField>()
}

/// The decoder of a batch, whose operations are read in one pass.
struct BatchDecoder: ~Copyable {
  var cursor: BodyCursor
  /// The operations read so far.
  var operations: [Operation] = []
  /// The nodes of operations.
  var nodes = NodeDecoder()
  /// The keys of operations that can name several nodes.
  var keys = KeyDecoder()
  /// The sort orders of operations.
  var orders = OrderDecoder()

  /// Starts at the beginning of a body.
  init(_ body: [UInt8], _ limits: DecodingLimits) {
    cursor = BodyCursor(body, limits)
  }

  /// Moves the operations that were read into a batch.
  consuming func finish(_ source: Batch.Source) -> Batch {
    var batch = Batch(
      bytes: cursor.bytes,
      operations: operations,
      nodes: nodes.nodes,
      keys: keys.keys,
      orders: orders.orders,
      rootSections: nodes.rootSections
    )
    batch.source = source
    return batch
  }

  /// Reads the body of a batch.
  mutating func readBatch() throws(ServiceError) {
    if try cursor.peekKind() == .array {
      throw cursor.invalid("A batch is an object; send the list as its member `operations`.")
    }
    do throws(ServiceError) {
      try readBody()
    } catch {
      guard cursor.unknownMember?.depth == 1, writtenOperation(at: 0) != nil else { throw error }
      var error = error
      error.detail =
        "This is a single operation; put it into `operations`: {\"operations\": [{\"op\": …}]}."
      throw error
    }
    try cursor.finish()
  }

  private mutating func readBody() throws(ServiceError) {
    var hasOperations = false
    var seen = SeenMembers()
    try cursor.beginObject()
    while try cursor.nextField(of: BatchField.table, &seen) != nil {
      try readOperations()
      hasOperations = true
    }
    guard hasOperations else {
      throw cursor.invalid("A batch needs `operations`, a list.")
    }
  }

  private mutating func readOperations() throws(ServiceError) {
    let limit = cursor.limits.maxOperations
    let body = cursor.reader.bytes
    let text = body.span
    // Most operations have at least 80 bytes. Reserved memory that is not used is not touched.
    operations.reserveCapacity(min(limit, body.count / 64))
    nodes.reserveCapacity(min(cursor.limits.maxNodes, body.count / 64))
    try cursor.beginArray()
    while true {
      try cursor.checkIfDue()
      if operations.count < limit, try readQuickly(text) { continue }
      cursor.setElement(operations.count - 1)
      guard try cursor.nextElement() else { break }
      guard operations.count < limit else {
        // The error concerns the batch and not one of its operations.
        cursor.operation = nil
        throw cursor.tooLarge(
          "A batch has at most \(limit) operations; send several.",
          limit: limit
        )
      }
      cursor.operation = operations.count
      try cursor.expect(.object, "an operation, which is an object")
      let place = try cursor.objectPlace()
      try appendOperation(text, OperationFields(), from: place)
    }
    cursor.operation = nil
  }

  /// Reads the next operation with the fast reader as far as possible.
  ///
  /// - Returns: `false` if it has an unusual form or may be invalid. It must then be read from its
  ///   start with the careful reader.
  private mutating func readQuickly(_ text: Span<UInt8>) throws(ServiceError) -> Bool {
    var quick = QuickReader(at: cursor.offset)
    guard
      cursor.reader.isAtFirst || quick.pass(UInt8(ascii: ","), text),
      quick.pass(UInt8(ascii: "{"), text), cursor.reader.depth < cursor.limits.maxJSONDepth
    else { return false }
    var place = MemberPlace(offset: quick.offset, isAtFirst: true)
    var fields = OperationFields()
    let depth = cursor.reader.depth + 1
    let (nodeCount, keyCount) = (nodes.nodes.count, keys.keys.count)
    guard parseMembers(&fields, from: &place, text, depth: depth) else {
      cursor.operation = operations.count
      cursor.setElement(operations.count)
      cursor.resume(at: quick.offset - 1)
      try appendOperation(text, fields, from: place)
      return true
    }
    guard let name = fields.name else { return false }
    do throws(ServiceError) {
      try append(name, &fields)
    } catch {
      nodes.removeNodes(from: nodeCount)
      keys.removeKeys(from: keyCount)
      return false
    }
    cursor.resume(at: place.offset)
    return true
  }

  /// Appends the next operation, whose members before a place were read already.
  ///
  /// An unknown operation is reported before any other fault.
  private mutating func appendOperation(
    _ text: Span<UInt8>,
    _ before: consuming OperationFields,
    from place: MemberPlace
  ) throws(ServiceError) {
    let start = cursor.offset
    var fields = before
    do throws(ServiceError) {
      try read(&fields, from: place, text)
      guard let name = fields.name else {
        throw cursor.invalid("An operation needs `op`, its name.")
      }
      try append(name, &fields)
    } catch {
      throw advised(error, at: start, fields.seen)
    }
  }

  /// Returns an error of the operation at an offset with better advice.
  ///
  /// An unknown operation is reported before any other fault, and then a member that the operation
  /// does not have. For an unknown member, the error names the members that the operation has.
  private func advised(
    _ error: ServiceError,
    at start: Int,
    _ seen: SeenMembers
  ) -> ServiceError {
    guard let written = writtenOperation(at: start) else { return error }
    guard let known = OperationName(offered: written) else {
      return cursor.unknownOperation(written)
    }
    if let member = OperationField.first(of: seen, outside: known) {
      let detail = unknown(Array(member.utf8), of: known, besides: seen)
      return cursor.invalid(detail, memberOfOperation: member)
    }
    // In a batch, the depth is 3: member of the batch, index of the operation, member of the
    // operation.
    guard let member = cursor.unknownMember, member.depth == 3 else { return error }
    var error = error
    error.detail = unknown(member.name, of: known, besides: seen)
    return error
  }

  /// Returns the member `op` of the object at an offset, or `nil` if there is no such string.
  private func writtenOperation(at start: Int) -> [UInt8]? {
    let bytes = cursor.reader.bytes
    let depth = cursor.limits.maxBodyDepth
    var reader = JSONReader(bytes, in: start..<bytes.count, maxDepth: depth)
    let members = OperationField.table
    do throws(JSONError) {
      try reader.beginObject()
      while let member = try reader.nextMember() {
        let position = members.names.position(of: member, in: reader.bytes)
        guard let position, members.fields[position] == .op else {
          _ = try reader.skipValue()
          continue
        }
        return try reader.readString().decoded(from: reader.bytes)
      }
    } catch {
      return nil
    }
    return nil
  }
}
