import JSON

/// The members of a sort descriptor.
private enum SortField: String, CaseIterable {
  case by, direction, compare
  static let table = FieldTable<SortField>()
}

private let directions = FieldTable<SortDescriptor.Direction>()
private let comparisons = FieldTable<SortDescriptor.Comparison>()

/// The sort orders of operations, which are read from a body's cursor.
struct OrderDecoder {
  /// The orders read so far.
  private(set) var orders: [SortOrder] = []
  /// The range of the last of ``orders`` in the body.
  ///
  /// Batches often repeat one order.
  private var lastOrder = 0..<0

  /// Reads a list of sort descriptors and returns its index in ``orders``.
  mutating func read(_ cursor: inout BodyCursor) throws(ServiceError) -> Int {
    _ = try cursor.peekKind()
    let start = cursor.offset
    if !lastOrder.isEmpty, cursor.continues(with: lastOrder) {
      cursor.resume(at: start + lastOrder.count)
    } else {
      orders.append(try SortOrder.read(from: &cursor))
      lastOrder = start..<cursor.offset
    }
    return orders.count - 1
  }
}

extension SortOrder {
  /// Reads a list of sort descriptors.
  static func read(from cursor: inout BodyCursor) throws(ServiceError) -> SortOrder {
    var descriptors: [SortDescriptor] = []
    let limit = cursor.limits.maxSortDescriptors
    try cursor.beginArray()
    while try cursor.nextElement() {
      guard descriptors.count < limit else {
        throw cursor.invalid("At most \(limit) sort descriptors are allowed.")
      }
      descriptors.append(try SortDescriptor.read(from: &cursor))
    }
    return SortOrder(descriptors)
  }
}

extension SortDescriptor {
  fileprivate static func read(from cursor: inout BodyCursor) throws(ServiceError) -> SortDescriptor
  {
    var subject: SortDescriptor.Subject?
    var direction = SortDescriptor.Direction.ascending
    var comparison = SortDescriptor.Comparison.auto
    var seen = SeenMembers()
    try cursor.beginObject()
    while let field = try cursor.nextField(of: SortField.table, &seen) {
      switch field {
      case .by: subject = try Subject.read(from: &cursor)
      case .direction: direction = try cursor.readOne(of: directions)
      case .compare: comparison = try cursor.readOne(of: comparisons)
      }
    }
    guard let subject else {
      throw cursor.invalid("A sort descriptor needs `by`: a JSON Pointer, or \"#key\".")
    }
    return SortDescriptor(by: subject, direction, compare: comparison)
  }
}

extension SortDescriptor.Subject {
  /// Reads the subject of a sort descriptor or predicate.
  static func read(
    from cursor: inout BodyCursor
  ) throws(ServiceError) -> SortDescriptor.Subject {
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
}
