import JSON

extension BodyDecoder {
  /// Reads the name of an existing section.
  ///
  /// The nameless section has an empty name.
  mutating func sectionName() throws(ServiceError) -> ByteSlice {
    let name = try cursor.readString()
    guard name.count <= SectionRules.maxNameBytes else { throw cursor.invalid(SectionRules.advice) }
    return name
  }

  /// Reads the name of a new section, which must not be empty.
  mutating func newSectionName() throws(ServiceError) -> ByteSlice {
    let name = try sectionName()
    guard name.count > 0, isSafe(section: name) else { throw cursor.invalid(SectionRules.advice) }
    return name
  }

  /// Returns true if a new section may have this name.
  ///
  /// U+0000 is refused, because a query cannot contain it.
  private func isSafe(section name: ByteSlice) -> Bool {
    !cursor.limits.requiresSafeNames || !cursor.bytes(of: name).contains(0)
  }

  /// Reads the names of a tree's sections.
  mutating func sectionList() throws(ServiceError) -> [ByteSlice] {
    var names: [ByteSlice] = []
    var known: Set<[UInt8]> = []
    try cursor.beginArray()
    while try cursor.nextElement() {
      let name = try newSectionName()
      let bytes = Array(cursor.bytes(of: name))
      guard known.insert(bytes).inserted else {
        var error = cursor.refusal(
          .duplicateKey,
          "A name is given to one section of a tree only; choose another."
        )
        error.key = String(decoding: bytes, as: UTF8.self)
        throw error
      }
      names.append(name)
    }
    return names
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
      guard section.count > 0, isSafe(section: section) else {
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
    case .expandSection: return .expandSection(section)
    default: return .collapseSection(section)
    }
  }
}
