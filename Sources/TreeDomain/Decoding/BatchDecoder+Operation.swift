import JSON
import TreeEngine

// The parts of operations that are made of several members.
extension BatchDecoder {
  /// Appends a `move` operation made of its members.
  mutating func appendMove(
    _ fields: inout OperationFields
  ) throws(ServiceError) {
    let keys = try oneOrMany(&fields)
    let section = try rootSection(&fields)
    operations.append(
      .move(keys: keys, parent: fields.parent.key, section: section, place: fields.place)
    )
  }

  /// Refuses members that this operation does not have.
  mutating func checkMembers(
    _ name: OperationName,
    _ fields: inout OperationFields
  ) throws(ServiceError) {
    if let member = OperationField.first(of: fields.seen, outside: name) {
      let detail = unknown(Array(member.utf8), of: name, besides: fields.seen)
      throw cursor.invalid(detail, member: member)
    }
    if fields.key == nil, fields.hasKey, !name.takesNullKey {
      throw cursor.invalid("This must be a string.", member: "key")
    }
  }

  /// Returns the advice about a member that an operation does not have.
  ///
  /// - Parameters:
  ///   - member: The member.
  ///   - name: The operation.
  ///   - seen: The members that were read.
  /// - Returns: One to three sentences.
  func unknown(
    _ member: [UInt8],
    of name: OperationName,
    besides seen: SeenMembers
  ) -> String {
    let isSingle = cursor.operation == nil
    return NameAdvice.unknown(
      "member",
      member,
      among: name.memberNames(isSingle: isSingle),
      of: isSingle ? nil : name.rawValue,
      besides: OperationField.allCases.filter { seen.contains($0.position) }.map { "\($0)" }
    )
  }

  /// Returns a key that must be given.
  @inline(__always)
  mutating func required(_ key: ByteSlice?) throws(ServiceError) -> ByteSlice {
    guard let key else { throw cursor.invalid("This operation needs a key; give it one.") }
    return key
  }

  /// Returns the operation that removes a node or several.
  mutating func removal(_ fields: inout OperationFields) throws(ServiceError) -> Operation {
    switch (fields.key, fields.keys) {
    case (let key?, nil): return .remove(key: key)
    case (nil, let keys?): return .removeAll(keys: keys)
    default: throw cursor.invalid("Give exactly one of key and keys.")
    }
  }

  /// Returns the given key, or the given list of keys.
  mutating func oneOrMany(
    _ fields: inout OperationFields
  ) throws(ServiceError) -> PackedRange {
    switch (fields.key, fields.keys) {
    case (let key?, nil): return keys.append(key)
    case (nil, let keys?): return keys
    default: throw cursor.invalid("Give exactly one of key and keys.")
    }
  }

  /// Returns the change of an object: its replacement or its merge patch.
  mutating func objectChange(
    _ fields: inout OperationFields
  ) throws(ServiceError) -> Operation.ObjectChange {
    switch (fields.object, fields.merge) {
    case (let object?, nil): return .replace(object)
    case (nil, let patch?): return .merge(patch)
    default: throw cursor.invalid("Give exactly one of object and merge.")
    }
  }

  /// Returns the section of roots.
  ///
  /// Refuses a section beside a parent.
  mutating func rootSection(
    _ fields: inout OperationFields
  ) throws(ServiceError) -> ByteSlice? {
    if fields.section != nil, fields.parent.key != nil {
      throw cursor.invalid(
        "Only roots are in sections; give one of parent and section.",
        member: "section"
      )
    }
    return fields.section
  }

  /// Returns the nodes to select: a node, several, or a subtree.
  mutating func selection(
    _ fields: inout OperationFields
  ) throws(ServiceError) -> SelectionTarget {
    switch (fields.key, fields.keys, fields.subtree) {
    case (let key?, nil, nil): return .keys(keys.append(key))
    case (nil, let keys?, nil): return .keys(keys)
    case (nil, nil, let subtree?): return .subtree(subtree)
    default: throw cursor.invalid("Give exactly one of key, keys and subtree.")
    }
  }

  /// Returns a `sort` operation.
  mutating func sort(_ fields: inout OperationFields) throws(ServiceError) -> Operation {
    guard let order = fields.order, !orders.orders[order].isEmpty else {
      throw cursor.invalid("Sorting needs `by`: a list of one or more sort descriptors.")
    }
    if fields.section != nil, !fields.hasKey || fields.key != nil {
      throw cursor.invalid("Only roots are in sections; let key be null.", member: "section")
    }
    if let key = fields.key { return .sort(.children(of: key), by: order) }
    return .sort(fields.hasKey ? .roots(section: fields.section) : .everywhere, by: order)
  }

  /// Makes an operation on a section from the members of the operation.
  func sectionOperation(
    _ name: OperationName,
    _ fields: inout OperationFields
  ) throws(ServiceError) -> Operation {
    guard let section = fields.section else {
      throw cursor.invalid("This operation needs a section; name it.")
    }
    var index: Int?
    if case .index(let given) = fields.place { index = given }
    switch name {
    case .insertSection:
      guard section.count > 0, cursor.isSafe(section: section) else {
        throw cursor.invalid(SectionRules.advice, member: "section")
      }
      return .insertSection(section, index: index)
    case .moveSection:
      guard let index else { throw cursor.invalid("Moving a section needs `index`.") }
      return .moveSection(section, index: index)
    case .renameSection:
      guard let newName = fields.newName else {
        throw cursor.invalid("Renaming a section needs `to`, its new name.")
      }
      return .renameSection(section, to: newName)
    case .removeSection: return .removeSection(section)
    case .expandSection: return .view(.expandSection(section))
    default: return .view(.collapseSection(section))
    }
  }
}
