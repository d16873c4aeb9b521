import JSON
import TreeEngine

private enum ExpansionWord: String, CaseIterable {
  case all, none
  static let table = FieldTable<ExpansionWord>()
}

private let rowOrders = FieldTable<RowOrder>()
private let selectionModes = FieldTable<SelectionMode>()
private let nestedExpansions = FieldTable<SessionOptions.NestedExpansion>()

/// The options of a session, by their names in all requests.
enum OptionField: String, CaseIterable {
  case expansion, order, filter, selection, nestedExpansion, accordion, idleTimeoutSeconds, sort
  case viewSort
  static let table = FieldTable<OptionField>()
}

extension SessionPatch {
  /// Reads the body of `PATCH /v1/sessions/{session}`.
  ///
  /// - Parameters:
  ///   - body: The whole body.
  ///   - limits: The limits of the body.
  /// - Returns: The changes.
  /// - Throws: `malformed-json` or `invalid-request`, with a pointer to the fault.
  /// - Complexity: O(length of the body).
  package static func decode(
    body: [UInt8],
    limits: DecodingLimits = DecodingLimits()
  ) throws(ServiceError) -> SessionPatch {
    try BodyCursor.decode(body, limits) { cursor throws(ServiceError) in
      var patch = SessionPatch()
      var seen = SeenMembers()
      try cursor.beginObject()
      while let option = try cursor.nextField(of: OptionField.table, &seen) {
        try patch.read(option, from: &cursor)
      }
      try cursor.finish()
      patch.body = body
      return patch
    }
  }

  /// Reads an option.
  ///
  /// A filter and the order of a view may be `null`.
  mutating func read(
    _ option: OptionField,
    from cursor: inout BodyCursor
  ) throws(ServiceError) {
    switch option {
    case .expansion: expansion = try ExpansionRule.read(from: &cursor)
    case .order: order = try cursor.readOne(of: rowOrders)
    case .filter:
      if try cursor.peekKind() == .null {
        try cursor.readNull()
        filter = .clear
      } else {
        filter = .set(try .read(from: &cursor))
      }
    case .selection: selection = try cursor.readOne(of: selectionModes)
    case .nestedExpansion: nestedExpansion = try cursor.readOne(of: nestedExpansions)
    case .accordion: accordion = try cursor.readBool()
    case .idleTimeoutSeconds: idleTimeoutSeconds = try Self.idleTimeout(&cursor)
    case .sort: sort = try SortOrder.read(from: &cursor)
    case .viewSort: viewSort = try Self.viewSort(&cursor)
    }
  }

  /// Reads the order of a view, which is empty for `null`.
  private static func viewSort(_ cursor: inout BodyCursor) throws(ServiceError) -> SortOrder {
    guard try cursor.peekKind() == .null else { return try SortOrder.read(from: &cursor) }
    try cursor.readNull()
    return SortOrder([])
  }

  private static func idleTimeout(_ cursor: inout BodyCursor) throws(ServiceError) -> Int {
    let most = SessionOptions.maxIdleTimeoutSeconds
    let seconds = try cursor.readInt(atLeast: 0)
    guard seconds <= most else {
      throw cursor.invalid("This must be at most \(most) seconds, or 0 for ever.")
    }
    return seconds
  }
}

extension ExpansionRule {
  /// Reads an expansion rule.
  ///
  /// The number of levels is limited to 2³¹ - 1, because no tree has more.
  static func read(from cursor: inout BodyCursor) throws(ServiceError) -> ExpansionRule {
    if try cursor.peekKind() == .string {
      switch try cursor.readWord(of: ExpansionWord.table) {
      case .all: return .all
      case ExpansionWord.none?: return .none
      case nil: throw cursor.invalid("This must be \"all\", \"none\" or a number of levels.")
      }
    }
    return .levels(min(try cursor.readInt(atLeast: 0, or: "\"all\" or \"none\""), Int(Int32.max)))
  }
}
