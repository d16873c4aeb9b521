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

extension BodyDecoder {
  /// Reads an option.
  ///
  /// A filter and the order of a view may be `null`.
  mutating func read(
    _ option: OptionField,
    _ patch: inout SessionPatch
  ) throws(ServiceError) {
    switch option {
    case .expansion: patch.expansion = try expansion()
    case .order: patch.order = try word(of: rowOrders)
    case .filter:
      if try cursor.peekKind() == .null {
        try cursor.readNull()
        patch.filter = .clear
      } else {
        patch.filter = .set(try filter())
      }
    case .selection: patch.selection = try word(of: selectionModes)
    case .nestedExpansion: patch.nestedExpansion = try word(of: nestedExpansions)
    case .accordion: patch.accordion = try cursor.readBool()
    case .idleTimeoutSeconds: patch.idleTimeoutSeconds = try idleTimeout()
    case .sort: patch.sort = try sortOrder()
    case .viewSort: patch.viewSort = try viewSort()
    }
  }

  /// Reads the order of a view, which is empty for `null`.
  private mutating func viewSort() throws(ServiceError) -> SortOrder {
    guard try cursor.peekKind() == .null else { return try sortOrder() }
    try cursor.readNull()
    return SortOrder([])
  }

  /// Reads an expansion rule.
  ///
  /// The number of levels is limited to 2³¹ - 1, because no tree has more.
  mutating func expansion() throws(ServiceError) -> ExpansionRule {
    if try cursor.peekKind() == .string {
      switch try cursor.readWord(of: ExpansionWord.table) {
      case .all: return .all
      case ExpansionWord.none?: return .none
      case nil: throw cursor.invalid("This must be \"all\", \"none\" or a number of levels.")
      }
    }
    return .levels(min(try cursor.readInt(atLeast: 0, or: "\"all\" or \"none\""), Int(Int32.max)))
  }

  private mutating func idleTimeout() throws(ServiceError) -> Int {
    let most = SessionOptions.maxIdleTimeoutSeconds
    let seconds = try cursor.readInt(atLeast: 0)
    guard seconds <= most else {
      throw cursor.invalid("This must be at most \(most) seconds, or 0 for ever.")
    }
    return seconds
  }
}
