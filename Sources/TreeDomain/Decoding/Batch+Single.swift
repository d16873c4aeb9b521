import JSON

/// The members of a request that selects a node.
private enum SelectionField: String, CaseIterable {
  case subtree
  static let table = FieldTable<SelectionField>()
}

extension Batch {
  /// Reads a request of a single operation.
  ///
  /// - Parameters:
  ///   - single: The operation.
  ///   - key: The decoded key of the path; `nil` for operations without a key.
  ///   - section: The section whose roots are set; `nil` for all roots.
  ///   - body: The whole body with the other members of the operation. It may be empty, except for
  ///     a patch and for children.
  ///   - limits: The limits of the body.
  /// - Returns: A batch of the one operation.
  /// - Precondition: There is a key exactly if ``SingleOperation/hasKey`` is true. There is a
  ///   section only for ``SingleOperation/setRoots``.
  /// - Throws: `malformed-json`, `invalid-request` or `content-too-large`.
  /// - Complexity: O(length of the body).
  public static func decode(
    _ single: SingleOperation,
    key: [UInt8]?,
    section: [UInt8]? = nil,
    body: [UInt8] = [],
    limits: DecodingLimits = DecodingLimits()
  ) throws(ServiceError) -> Batch {
    precondition(single.hasKey == (key != nil) && (section == nil || single == .setRoots))
    if let key {
      try KeyRules.check(key, limits)
      if single == .put, limits.requiresSafeNames, !KeyRules.isSafe(key) {
        throw ServiceError(.invalidRequest, KeyRules.safetyAdvice)
      }
    }
    if let section { try SectionRules.check(section) }
    return try BodyDecoder.decode(body, limits) { decoder throws(ServiceError) in
      let named = (key ?? section).map { decoder.cursor.append($0) }
      try decoder.single(single, named)
      let source = Batch.Source(single: single, named: named, bodyCount: body.count)
      return decoder.finishBatch(source)
    }
  }
}

extension BodyDecoder {
  /// Reads the body.
  ///
  /// `named` is the key of the path or the section of the query.
  fileprivate mutating func single(
    _ single: SingleOperation,
    _ named: ByteSlice?
  ) throws(ServiceError) {
    if let name = single.name { return try operation(name, named) }
    if single == .setRoots { return operations.append(try setChildren(of: .roots(section: named))) }
    let key = try required(named)
    switch single {
    case .setChildren: operations.append(try setChildren(of: .node(key)))
    case .select: operations.append(.select(try selection(of: key)))
    case .deselect: operations.append(.deselect(try selection(of: key)))
    default:
      let patch = try rawValue()
      try cursor.finish()
      operations.append(.update(key: key, .merge(patch)))
    }
  }

  private mutating func operation(
    _ name: OperationName,
    _ key: ByteSlice?
  ) throws(ServiceError) {
    var fields = OperationFields()
    let body = cursor.reader.bytes
    if !body.isEmpty {
      do throws(ServiceError) {
        try read(&fields, from: try cursor.objectPlace(), body.span)
      } catch {
        if let member = OperationField.first(of: fields.seen, outside: name) {
          let detail = unknown(Array(member.utf8), of: name, besides: fields.seen)
          throw cursor.invalid(detail, memberOfOperation: member)
        }
        guard let member = cursor.unknownMember, member.depth == 1 else { throw error }
        var error = error
        error.detail = unknown(member.name, of: name, besides: fields.seen)
        throw error
      }
      try cursor.finish()
    }
    try checkPath(fields.seen)
    fields.key = key
    try append(name, &fields)
  }

  /// Refuses members that repeat the path.
  private func checkPath(_ seen: SeenMembers) throws(ServiceError) {
    let others = OperationField.allCases.filter { ![.op, .key, .keys].contains($0) }
    guard let position = seen.first(outside: OperationField.set(others)) else { return }
    let member = "\(OperationField.table.fields[position])"
    throw cursor.invalid("The path says what \(member) would; leave it out.", member: member)
  }

  /// Reads the selection target: the node alone or its subtree.
  private mutating func selection(of key: ByteSlice) throws(ServiceError) -> SelectionTarget {
    guard !cursor.reader.bytes.isEmpty else { return .keys(list(key)) }
    var isSubtree = false
    var seen = SeenMembers()
    try cursor.beginObject()
    while try cursor.nextField(of: SelectionField.table, &seen) != nil {
      isSubtree = try cursor.readBool()
    }
    try cursor.finish()
    return isSubtree ? .subtree(key) : .keys(list(key))
  }
}
