import JSON

/// The members of a request that selects a node.
private enum SelectionField: String, CaseIterable {
  case subtree
  static let table = FieldTable<SelectionField>()
}

extension BatchDecoder {
  /// Reads the body of a single operation.
  ///
  /// `named` is the key of the path or the section of the query.
  mutating func read(
    _ single: SingleOperation,
    _ named: ByteSlice?
  ) throws(ServiceError) {
    if let name = single.name { return try operation(name, named) }
    if single == .setRoots { return operations.append(try setChildren(of: .roots(section: named))) }
    let key = try required(named)
    switch single {
    case .setChildren: operations.append(try setChildren(of: .node(key)))
    case .select: appendView(.select(try selection(of: key)))
    case .deselect: appendView(.deselect(try selection(of: key)))
    default:
      let patch = try cursor.readRawValue()
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
    guard !cursor.reader.bytes.isEmpty else { return .keys(keys.append(key)) }
    var isSubtree = false
    var seen = SeenMembers()
    try cursor.beginObject()
    while try cursor.nextField(of: SelectionField.table, &seen) != nil {
      isSubtree = try cursor.readBool()
    }
    try cursor.finish()
    return isSubtree ? .subtree(key) : .keys(keys.append(key))
  }
}
