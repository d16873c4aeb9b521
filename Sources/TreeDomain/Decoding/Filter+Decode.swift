import JSON

/// The members of a filter: those of a predicate and those of a combination.
private enum FilterField: String, CaseIterable {
  case by, equals, contains, startsWith, matches, above, below, caseSensitive
  case all, any, not
  static let table = FieldTable<FilterField>()
}

/// The members of a filter that were read.
private struct FilterFields {
  var subject: SortDescriptor.Subject?
  var test: Predicate.Test?
  var isCaseSensitive: Bool?
  var combination: Filter?
}

extension Filter {
  /// Reads a filter.
  ///
  /// - Throws: `invalid-request` with a pointer to the fault, or `malformed-json`.
  static func read(from cursor: inout BodyCursor) throws(ServiceError) -> Filter {
    var decoder = FilterDecoder()
    return try decoder.filter(nesting: 1, &cursor)
  }
}

/// The decoder of one filter.
private struct FilterDecoder {
  /// The number of predicates and empty combinations so far.
  private var predicates = 0

  /// Reads a filter by recursion, at most ``Filter/maxNesting`` deep.
  mutating func filter(
    nesting: Int,
    _ cursor: inout BodyCursor
  ) throws(ServiceError) -> Filter {
    guard nesting <= Filter.maxNesting else {
      throw cursor.invalid("Filters may be nested \(Filter.maxNesting) deep, not deeper.")
    }
    var fields = FilterFields()
    var seen = SeenMembers()
    try cursor.beginObject()
    while let field = try cursor.nextField(of: FilterField.table, &seen) {
      switch field {
      case .by: fields.subject = try SortDescriptor.Subject.read(from: &cursor)
      case .caseSensitive: fields.isCaseSensitive = try cursor.readBool()
      case .all, .any, .not:
        try checkSingle(fields, cursor)
        fields.combination = try combination(field, nesting: nesting, &cursor)
      case .equals, .contains, .startsWith, .matches, .above, .below:
        try checkSingle(fields, cursor)
        fields.test = try test(field, &cursor)
      }
    }
    return try filter(fields, cursor)
  }

  private func checkSingle(
    _ fields: FilterFields,
    _ cursor: BodyCursor
  ) throws(ServiceError) {
    guard fields.test == nil, fields.combination == nil else {
      throw cursor.invalid("A filter has one test only; combine several with all or any.")
    }
  }

  private mutating func combination(
    _ field: FilterField,
    nesting: Int,
    _ cursor: inout BodyCursor
  ) throws(ServiceError) -> Filter {
    if field == .not { return .not(try filter(nesting: nesting + 1, &cursor)) }
    var filters: [Filter] = []
    try cursor.beginArray()
    while try cursor.nextElement() {
      filters.append(try filter(nesting: nesting + 1, &cursor))
    }
    return field == .all ? .all(filters) : .any(filters)
  }

  private func test(
    _ field: FilterField,
    _ cursor: inout BodyCursor
  ) throws(ServiceError) -> Predicate.Test {
    switch field {
    case .contains: .contains(try sought(&cursor))
    case .startsWith: .startsWith(try sought(&cursor))
    case .matches: .matches(try sought(&cursor))
    case .above: .above(try comparable(&cursor))
    case .below: .below(try comparable(&cursor))
    default: .equals(Array(cursor.bytes(of: try cursor.readRawValue())))
    }
  }

  private func sought(_ cursor: inout BodyCursor) throws(ServiceError) -> [UInt8] {
    let text = try cursor.readString()
    guard text.count <= Filter.maxTextBytes else {
      throw cursor.invalid("This may have \(Filter.maxTextBytes) bytes, not more.")
    }
    return Array(cursor.bytes(of: text))
  }

  /// Reads a number or a string as raw JSON.
  private func comparable(_ cursor: inout BodyCursor) throws(ServiceError) -> [UInt8] {
    let kind = try cursor.peekKind()
    guard kind == .number || kind == .string else {
      throw cursor.invalid("This must be a number or a string.")
    }
    return Array(cursor.bytes(of: try cursor.readRawValue()))
  }

  private mutating func filter(
    _ fields: FilterFields,
    _ cursor: BodyCursor
  ) throws(ServiceError) -> Filter {
    if let combination = fields.combination {
      guard fields.subject == nil, fields.isCaseSensitive == nil else {
        throw cursor.invalid("by and caseSensitive go with a test; leave them out here.")
      }
      switch combination {
      case .all(let filters) where filters.isEmpty: try count(cursor)
      case .any(let filters) where filters.isEmpty: try count(cursor)
      default: break
      }
      return combination
    }
    guard let subject = fields.subject, let test = fields.test else {
      throw cursor.invalid(
        """
        A filter needs `by` with one of equals, contains, startsWith, matches, above and below; \
        or all, any or not.
        """
      )
    }
    try count(cursor)
    return .predicate(
      Predicate(by: subject, test, isCaseSensitive: fields.isCaseSensitive ?? false)
    )
  }

  /// Counts a predicate or an empty combination.
  private mutating func count(_ cursor: BodyCursor) throws(ServiceError) {
    predicates += 1
    guard predicates <= Filter.maxPredicates else {
      throw cursor.invalid(
        "A filter has at most \(Filter.maxPredicates) predicates; ask for less."
      )
    }
  }
}
