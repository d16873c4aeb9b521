import JSON
import TreeEngine

extension BodyDecoder {
  /// Makes an operation of what was read, once it is known which one it is.
  mutating func operation(
    _ name: OperationName,
    _ fields: OperationFields
  ) throws(ServiceError) -> Operation {
    try checkMembers(name, fields)
    switch name {
    case .insert, .put: return try insertion(name, fields)
    case .setChildren: return try setChildren(fields)
    case .update: return .update(key: try required(fields.key), try objectChange(fields))
    case .remove: return .remove(key: try required(fields.key))
    case .move:
      return .move(
        keys: try oneOrMany(fields),
        parent: fields.parent.key,
        section: try rootSection(fields),
        place: fields.place
      )
    case .sort: return try sort(fields)
    case .expand: return .expand(key: try required(fields.key), fields.levels)
    case .collapse: return .collapse(key: try required(fields.key), fields.levels)
    case .toggle: return .toggle(key: try required(fields.key), fields.levels)
    case .expandAll: return .expandAll
    case .collapseAll: return .collapseAll
    case .reveal: return .reveal(keys: try oneOrMany(fields), selects: fields.selects)
    case .select: return .select(try selection(fields))
    case .deselect: return .deselect(try selection(fields))
    case .clearSelection: return .clearSelection
    case .insertSection, .removeSection, .moveSection, .renameSection, .expandSection,
      .collapseSection:
      return try sectionOperation(name, fields)
    }
  }

  /// Refuses members that are known, but not to this operation.
  private func checkMembers(
    _ name: OperationName,
    _ fields: OperationFields
  ) throws(ServiceError) {
    if let position = fields.seen.first(outside: name.fields) {
      let member = "\(OperationField.table.fields[position])"
      throw cursor.invalid(
        "\(name.rawValue) has no member \(member); leave it out.",
        member: member
      )
    }
    if fields.key == nil, fields.hasKey, !name.takesNullKey {
      throw cursor.invalid("This must be a string.", member: "key")
    }
  }

  func required(_ key: ByteSlice?) throws(ServiceError) -> ByteSlice {
    guard let key else { throw cursor.invalid("This operation needs a key; give it one.") }
    return key
  }

  private func oneOrMany(_ fields: OperationFields) throws(ServiceError) -> [ByteSlice] {
    switch (fields.key, fields.keys) {
    case (let key?, nil): return [key]
    case (nil, let keys?): return keys
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

  /// The section that roots go to, which says nothing of nodes with a parent.
  func rootSection(_ fields: OperationFields) throws(ServiceError) -> ByteSlice? {
    if fields.section != nil, fields.parent.key != nil {
      throw cursor.invalid(
        "Only roots are in sections; give one of parent and section.",
        member: "section"
      )
    }
    return fields.section
  }

  private func selection(_ fields: OperationFields) throws(ServiceError) -> SelectionTarget {
    switch (fields.key, fields.keys, fields.subtree) {
    case (let key?, nil, nil): return .keys([key])
    case (nil, let keys?, nil): return .keys(keys)
    case (nil, nil, let subtree?): return .subtree(subtree)
    default: throw cursor.invalid("Give exactly one of key, keys and subtree.")
    }
  }

  private func sort(_ fields: OperationFields) throws(ServiceError) -> Operation {
    guard let order = fields.order, !order.isEmpty else {
      throw cursor.invalid("Sorting needs `by`: a list of one or more sort descriptors.")
    }
    if fields.section != nil, !fields.hasKey || fields.key != nil {
      throw cursor.invalid("Only roots are in sections; let key be null.", member: "section")
    }
    if let key = fields.key { return .sort(.children(of: key), by: order) }
    return .sort(fields.hasKey ? .roots(section: fields.section) : .everywhere, by: order)
  }
}
