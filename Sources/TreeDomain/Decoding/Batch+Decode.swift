import JSON

/// The members of a batch.
private enum BatchField: String, CaseIterable {
  case operations
  static let table = FieldTable<BatchField>()
}

extension Batch {
  /// Reads the body of `POST …/batch`.
  ///
  /// - Parameters:
  ///   - body: The whole body; the batch keeps it, so that nothing is copied.
  ///   - limits: What is allowed.
  /// - Returns: The batch.
  /// - Throws: `malformed-json`, `invalid-request`, `unknown-operation` or `content-too-large`,
  ///   with the operation and the place the fault is at.
  /// - Complexity: O(length of the body).
  public static func decode(
    body: [UInt8],
    limits: DecodingLimits = DecodingLimits()
  ) throws(ServiceError) -> Batch {
    try BodyDecoder.decode(body, limits) { decoder throws(ServiceError) in
      if !decoder.takeUsualBatch() {
        try decoder.batch()
        try decoder.cursor.finish()
      }
      return decoder.takeBatch(Batch.Source(bodyCount: body.count))
    }
  }
}

extension BodyDecoder {
  /// Makes a batch of the operations that were read, which is all that becomes of them.
  mutating func takeBatch(_ source: Batch.Source) -> Batch {
    var batch = Batch(bytes: cursor.bytes, operations: [], nodes: [])
    swap(&batch.operations, &operations)
    swap(&batch.nodes, &nodes)
    swap(&batch.keys, &keys)
    swap(&batch.orders, &orders)
    swap(&batch.rootSections, &rootSections)
    batch.source = source
    return batch
  }

  fileprivate mutating func batch() throws(ServiceError) {
    if try cursor.peekKind() == .array {
      throw cursor.invalid("A batch is an object; send the list as its member `operations`.")
    }
    do throws(ServiceError) {
      try batchBody()
    } catch {
      guard cursor.unknownMember?.depth == 1, writtenOperation(at: 0) != nil else { throw error }
      var error = error
      error.detail =
        "This is a single operation; put it into `operations`: {\"operations\": [{\"op\": …}]}."
      throw error
    }
  }

  private mutating func batchBody() throws(ServiceError) {
    var hasOperations = false
    var seen = SeenMembers()
    try cursor.beginObject()
    while try cursor.nextField(of: BatchField.table, &seen) != nil {
      try operationList()
      hasOperations = true
    }
    guard hasOperations else {
      throw cursor.invalid("A batch needs `operations`, a list.")
    }
  }

  private mutating func operationList() throws(ServiceError) {
    let limit = cursor.limits.maxOperations
    let body = cursor.reader.bytes
    let text = body.span
    // Most have 80 bytes and more; what is reserved for larger ones is not touched.
    operations.reserveCapacity(min(limit, body.count / 64))
    nodes.reserveCapacity(min(cursor.limits.maxNodes, body.count / 64))
    try cursor.beginArray()
    while true {
      if operations.count < limit, try readQuickly(text) { continue }
      cursor.setElement(operations.count - 1)
      guard try cursor.nextElement() else { break }
      guard operations.count < limit else {
        // It is about none of them.
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

  /// Reads the operation that comes next, carefully only what has to be.
  ///
  /// - Returns: `false` where it does not begin as most do, or is refused; then it is to be read
  ///   from its beginning.
  private mutating func readQuickly(_ text: Span<UInt8>) throws(ServiceError) -> Bool {
    var quick = QuickReader(at: cursor.offset)
    guard
      cursor.reader.isAtFirst || quick.pass(UInt8(ascii: ","), text),
      quick.pass(UInt8(ascii: "{"), text), cursor.reader.depth < cursor.limits.maxJSONDepth
    else { return false }
    if takeUsual(quick, text, depth: cursor.reader.depth) { return true }
    var place = MemberPlace(offset: quick.offset, isAtFirst: true)
    var fields = OperationFields()
    let depth = cursor.reader.depth + 1
    let (nodeCount, keyCount) = (nodes.count, keys.count)
    guard takeMembers(&fields, from: &place, text, depth: depth) else {
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
      nodes.removeSubrange(nodeCount...)
      keys.removeSubrange(keyCount...)
      return false
    }
    cursor.resume(at: place.offset)
    return true
  }

  /// Reads members that need no care, a list of children or of keys among them; whether the object
  /// has ended.
  private mutating func takeMembers(
    _ fields: inout OperationFields,
    from place: inout MemberPlace,
    _ text: Span<UInt8>,
    depth: Int
  ) -> Bool {
    if fields.takeMembers(from: &place, text, cursor.limits) { return true }
    return
      (takeChildren(&fields, from: &place, text, depth: depth)
      || takeKeys(&fields, from: &place, text))
      && fields.takeMembers(from: &place, text, cursor.limits)
  }

  /// Puts in the operation whose object comes next, and whose members up to a place were read.
  ///
  /// One that does not exist is reported as that before all else.
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
      throw advised(error, at: start)
    }
  }

  /// Returns a refusal of the operation at an offset with what its name tells.
  ///
  /// An operation that does not exist is told before all else, and a member that is not known with
  /// those that this operation has.
  private func advised(_ error: ServiceError, at start: Int) -> ServiceError {
    guard let written = writtenOperation(at: start) else { return error }
    guard let known = OperationName(offered: written) else {
      return cursor.unknownOperation(written)
    }
    // Of a batch: the member of the batch, the operation's index and its own member.
    guard let member = cursor.unknownMember, member.depth == 3 else { return error }
    var error = error
    error.detail = unknown(member.name, of: known)
    return error
  }

  /// Returns the name that the object at an offset gives as `op`; `nil` if it gives no string.
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
