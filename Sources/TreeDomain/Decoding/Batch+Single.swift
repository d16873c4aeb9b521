import JSON

extension Batch {
  /// Reads a request that is one operation.
  ///
  /// - Parameters:
  ///   - single: Which operation.
  ///   - key: The key of the path, decoded; `nil` for the two operations that have none.
  ///   - body: The whole body, the operation's other members; it may be empty, except for a patch.
  ///   - limits: What is allowed.
  /// - Returns: A batch of the one operation.
  /// - Precondition: There is a key exactly where ``SingleOperation/hasKey`` says so.
  /// - Throws: `malformed-json`, `invalid-request` or `content-too-large`.
  /// - Complexity: O(length of the body).
  public static func decode(
    _ single: SingleOperation,
    key: [UInt8]?,
    body: [UInt8] = [],
    limits: DecodingLimits = DecodingLimits()
  ) throws(ServiceError) -> Batch {
    precondition(single.hasKey == (key != nil))
    if let key { try KeyRules.check(key, limits) }
    return try BodyDecoder.decode(body, limits) { decoder throws(ServiceError) in
      let operation = try decoder.single(single, key)
      return Batch(
        bytes: decoder.cursor.bytes,
        operations: [operation],
        nodes: decoder.nodes
      )
    }
  }
}

extension BodyDecoder {
  fileprivate mutating func single(
    _ single: SingleOperation,
    _ key: [UInt8]?
  ) throws(ServiceError) -> Operation {
    var fields: OperationFields
    if single == .patch {
      fields = OperationFields(node: try reserveNode(depth: 0))
      fields.merge = try rawValue()
      try cursor.finish()
    } else if cursor.reader.bytes.isEmpty {
      fields = OperationFields(node: try reserveNode(depth: 0))
    } else {
      fields = try operationFields()
      try cursor.finish()
    }
    try checkPath(fields.seen)
    if let key { fields.key = cursor.append(key) }
    return try operation(single.name, fields)
  }

  /// Refuses members that say what the path says.
  private func checkPath(_ seen: SeenMembers) throws(ServiceError) {
    let others = OperationField.allCases.filter { ![.op, .key, .keys].contains($0) }
    guard let position = seen.first(outside: OperationField.set(others)) else { return }
    let member = OperationField.table.fields[position].rawValue
    throw cursor.invalid("The path says what \(member) would; leave it out.", member: member)
  }
}
