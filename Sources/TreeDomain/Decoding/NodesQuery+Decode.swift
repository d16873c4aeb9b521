import JSON

/// The members of a query for nodes.
private enum NodesField: String, CaseIterable {
  case keys, fields
  static let table = FieldTable<NodesField>()
}

extension NodesQuery {
  /// Reads the body of `POST …/nodes/get`.
  ///
  /// - Parameters:
  ///   - body: The whole body.
  ///   - expectedRevision: The client's revision, for a check; `nil` for none.
  ///   - limits: The limits of the body.
  /// - Returns: The query.
  /// - Throws: `malformed-json`, `invalid-request`, or `content-too-large` for more than
  ///   ``maxKeys`` keys, with a pointer to the fault.
  /// - Complexity: O(length of the body).
  package static func decode(
    body: [UInt8],
    expectedRevision: Revision? = nil,
    limits: DecodingLimits = DecodingLimits()
  ) throws(ServiceError) -> NodesQuery {
    try BodyCursor.decode(body, limits) { cursor throws(ServiceError) in
      var query = try read(from: &cursor)
      try cursor.finish()
      query.options.expectedRevision = expectedRevision
      return query
    }
  }
}

extension NodesQuery {
  private static func read(from cursor: inout BodyCursor) throws(ServiceError) -> NodesQuery {
    var keys: [[UInt8]]?
    var options = ReadOptions()
    var seen = SeenMembers()
    try cursor.beginObject()
    while let field = try cursor.nextField(of: NodesField.table, &seen) {
      switch field {
      case .keys: keys = try Self.keys(&cursor)
      case .fields: options.fields = try Self.fields(&cursor)
      }
    }
    guard let keys else {
      throw cursor.invalid("A query for nodes needs `keys`, a list of keys.")
    }
    return NodesQuery(keys, options)
  }

  private static func keys(_ cursor: inout BodyCursor) throws(ServiceError) -> [[UInt8]] {
    let limit = NodesQuery.maxKeys
    var keys: [[UInt8]] = []
    try cursor.beginArray()
    while try cursor.nextElement() {
      guard keys.count < limit else {
        throw cursor.tooLarge("At most \(limit) keys are allowed; ask in parts.", limit: limit)
      }
      let key = try cursor.readKey()
      keys.append(Array(cursor.bytes(of: key)))
    }
    return keys
  }

  private static func fields(_ cursor: inout BodyCursor) throws(ServiceError) -> RowFields {
    var fields: RowFields = []
    try cursor.beginArray()
    while try cursor.nextElement() {
      let name = try cursor.readString()
      guard let field = RowFields(named: cursor.bytes(of: name)) else {
        throw cursor.invalid(
          NameAdvice.unknown("field", cursor.bytes(of: name), among: RowFields.names)
        )
      }
      guard fields.insert(field).inserted else {
        throw cursor.invalid("This field comes twice; name it once.")
      }
    }
    guard !fields.isEmpty else {
      throw cursor.invalid("The list is empty; name at least one field, or leave it out.")
    }
    return fields
  }
}
