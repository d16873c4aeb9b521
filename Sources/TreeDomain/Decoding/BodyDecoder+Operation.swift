import JSON
import TreeEngine

extension BodyDecoder {
  /// Reads the members of an operation's object, up to its end.
  mutating func operationFields() throws(ServiceError) -> OperationFields {
    var fields = OperationFields(node: try reserveNode(depth: 0))
    try cursor.beginObject()
    while let field = try cursor.nextField(of: OperationField.table, &fields.seen) {
      try read(field, &fields)
    }
    return fields
  }

  private mutating func read(
    _ field: OperationField,
    _ fields: inout OperationFields
  ) throws(ServiceError) {
    switch field {
    case .op: fields.name = try operationName()
    case .key: fields.key = try key()
    case .keys: fields.keys = try distinctKeys()
    case .parent: fields.parent = try parent()
    case .object: fields.object = try rawValue()
    case .merge: fields.merge = try rawValue()
    case .children: fields.childState = try children(depth: 1)
    case .levels: fields.levels = try levels()
    case .index, .before, .after, .first, .sort: try readPlace(field, &fields)
    }
  }

  private mutating func readPlace(
    _ field: OperationField,
    _ fields: inout OperationFields
  ) throws(ServiceError) {
    guard fields.place == .default else {
      throw cursor.invalid("Give at most one of index, before, after, first and sort.")
    }
    switch field {
    case .index: fields.place = .index(try cursor.readInt(atLeast: 0))
    case .before: fields.place = .before(try key())
    case .after: fields.place = .after(try key())
    case .sort: fields.place = .sorted(try sortOrder())
    default:
      try cursor.readTrue()
      fields.place = .first
    }
  }

  private mutating func operationName() throws(ServiceError) -> OperationName {
    guard let name = try cursor.readWord(of: OperationName.table), name != .put else {
      throw cursor.unknownOperation
    }
    return name
  }

  /// Makes an operation of what was read, once it is known which one it is.
  mutating func operation(
    _ name: OperationName,
    _ fields: OperationFields
  ) throws(ServiceError) -> Operation {
    try checkMembers(name, fields)
    if name != .insert, name != .put {
      nodes.removeSubrange(fields.node...)
    }
    switch name {
    case .insert:
      return .insert(
        nodes: try insertedNodes(fields),
        parent: fields.parent.key,
        section: nil,
        place: fields.place
      )
    case .put: return try put(fields)
    case .update: return .update(key: try required(fields.key), try objectChange(fields))
    case .remove: return .remove(key: try required(fields.key))
    case .move:
      return .move(
        keys: try oneOrMany(fields),
        parent: fields.parent.key,
        section: nil,
        place: fields.place
      )
    case .expand: return .expand(key: try required(fields.key), fields.levels)
    case .collapse: return .collapse(key: try required(fields.key), fields.levels)
    case .toggle: return .toggle(key: try required(fields.key), fields.levels)
    case .expandAll: return .expandAll
    case .collapseAll: return .collapseAll
    case .reveal: return .reveal(keys: try oneOrMany(fields), selects: false)
    }
  }

  /// Refuses members that are known, but not to this operation.
  private func checkMembers(
    _ name: OperationName,
    _ fields: OperationFields
  ) throws(ServiceError) {
    guard let position = fields.seen.first(outside: name.fields) else { return }
    let member = OperationField.table.fields[position].rawValue
    throw cursor.invalid("\(name.rawValue) has no member \(member); leave it out.", member: member)
  }

  private func required(_ key: ByteSlice?) throws(ServiceError) -> ByteSlice {
    guard let key else { throw cursor.invalid("This operation needs a key; give it one.") }
    return key
  }

  private func oneOrMany(_ fields: OperationFields) throws(ServiceError) -> [ByteSlice] {
    switch (fields.key, fields.keys.isEmpty) {
    case (let key?, true): return [key]
    case (nil, false): return fields.keys
    default: throw cursor.invalid("Give exactly one of key and keys.")
    }
  }

  private func objectChange(
    _ fields: OperationFields
  ) throws(ServiceError) -> Operation.ObjectChange {
    switch (fields.object, fields.merge) {
    case (let object?, nil): return .replace(object)
    case (nil, let patch?): return .merge(patch)
    default: throw cursor.invalid("Give exactly one of object and merge.")
    }
  }

  /// Completes the reserved node; its children, if any, follow it already.
  private mutating func insertedNodes(
    _ fields: OperationFields
  ) throws(ServiceError) -> Range<Int> {
    nodes[fields.node].key = try required(fields.key).range
    nodes[fields.node].object = (fields.object ?? null()).range
    nodes[fields.node].childState = fields.childState
    return fields.node..<nodes.count
  }

  private mutating func put(_ fields: OperationFields) throws(ServiceError) -> Operation {
    let givesChildren = OperationField.set([.children]).first(outside: fields.seen) == nil
    return .put(
      nodes: try insertedNodes(fields),
      parent: fields.parent,
      section: nil,
      place: fields.place,
      givesChildren: givesChildren
    )
  }
}
