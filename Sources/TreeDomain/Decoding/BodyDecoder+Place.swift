import JSON

/// The members of a sort descriptor.
private enum SortField: String, CaseIterable {
  case by, direction, compare
  static let table = FieldTable<SortField>()
}

private let directions = FieldTable<SortDescriptor.Direction>()
private let comparisons = FieldTable<SortDescriptor.Comparison>()

/// The word for all levels.
private enum LevelsWord: String, CaseIterable {
  case all
  static let table = FieldTable<LevelsWord>()
}

extension BodyDecoder {
  /// Reads the value of `parent`.
  mutating func parent() throws(ServiceError) -> ParentReference {
    guard try cursor.peekKind() == .null else { return .node(try key()) }
    try cursor.readNull()
    return .root
  }

  /// Reads the value of `levels`.
  mutating func levels() throws(ServiceError) -> Levels {
    if try cursor.peekKind() == .string {
      if try cursor.readWord(of: LevelsWord.table) == .all { return .all }
      throw cursor.invalid("This must be a whole number of 1 or more, or \"all\".")
    }
    return .count(try cursor.readInt(atLeast: 1, or: "\"all\""))
  }

  /// Reads a list of sort descriptors.
  mutating func sortOrder() throws(ServiceError) -> SortOrder {
    var descriptors: [SortDescriptor] = []
    let limit = cursor.limits.maxSortDescriptors
    try cursor.beginArray()
    while try cursor.nextElement() {
      guard descriptors.count < limit else {
        throw cursor.invalid("At most \(limit) sort descriptors are allowed.")
      }
      descriptors.append(try sortDescriptor())
    }
    return SortOrder(descriptors)
  }

  /// Reads a list of sort descriptors for an operation and returns its index in ``orders``.
  mutating func operationOrder() throws(ServiceError) -> Int {
    _ = try cursor.peekKind()
    let start = cursor.offset
    if !lastOrder.isEmpty, cursor.continues(with: lastOrder) {
      cursor.resume(at: start + lastOrder.count)
    } else {
      orders.append(try sortOrder())
      lastOrder = start..<cursor.offset
    }
    return orders.count - 1
  }

  private mutating func sortDescriptor() throws(ServiceError) -> SortDescriptor {
    var subject: SortDescriptor.Subject?
    var direction = SortDescriptor.Direction.ascending
    var comparison = SortDescriptor.Comparison.auto
    var seen = SeenMembers()
    try cursor.beginObject()
    while let field = try cursor.nextField(of: SortField.table, &seen) {
      switch field {
      case .by: subject = try sortSubject()
      case .direction: direction = try word(of: directions)
      case .compare: comparison = try word(of: comparisons)
      }
    }
    guard let subject else {
      throw cursor.invalid("A sort descriptor needs `by`: a JSON Pointer, or \"#key\".")
    }
    return SortDescriptor(by: subject, direction, compare: comparison)
  }

  /// Reads the subject of a sort descriptor or predicate.
  mutating func sortSubject() throws(ServiceError) -> SortDescriptor.Subject {
    let string = try cursor.readString()
    let limit = cursor.limits.maxPointerBytes
    guard string.count <= limit else {
      throw cursor.invalid("A JSON Pointer may have \(limit) bytes, not more.")
    }
    guard let subject = SortDescriptor.Subject(cursor.bytes(of: string)) else {
      throw cursor.invalid("This must be a JSON Pointer (RFC 6901), or \"#key\".")
    }
    return subject
  }

  /// Reads one of the words of a table.
  ///
  /// The error lists them.
  mutating func word<Word: RawRepresentable<String>>(
    of table: FieldTable<Word>
  ) throws(ServiceError) -> Word {
    guard let word = try cursor.readWord(of: table) else {
      let words = table.fields.map(\.rawValue).joined(separator: ", ")
      throw cursor.invalid("This must be one of: \(words).")
    }
    return word
  }
}
