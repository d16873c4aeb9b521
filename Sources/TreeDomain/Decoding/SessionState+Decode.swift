import JSON
import TreeEngine

/// The members of a state.
private enum StateField: String, CaseIterable {
  case expansion, toggledKeys, selectedKeys, collapsedSections, filterExpansion, filterToggledKeys
  case filterCollapsedSections
  case order, filter, selection, nestedExpansion, accordion, idleTimeoutSeconds, viewSort
  static let table = FieldTable<StateField>()
}

extension SessionState {
  /// Reads a session's state.
  ///
  /// All members are optional. The caller sets ``SessionState/bytes``.
  ///
  /// Unknown keys are accepted: those of removed nodes have no effect.
  static func read(from cursor: inout BodyCursor) throws(ServiceError) -> SessionState {
    var state = SessionState()
    var patch = SessionPatch()
    var seen = SeenMembers()
    try cursor.beginObject()
    while let field = try cursor.nextField(of: StateField.table, &seen) {
      switch field {
      case .toggledKeys: state.toggledKeys = try cursor.readKeys()
      case .selectedKeys: state.selectedKeys = try cursor.readKeys()
      case .collapsedSections: state.collapsedSections = try sectionNames(&cursor)
      case .filterExpansion: state.filterExpansion = try ExpansionRule.read(from: &cursor)
      case .filterToggledKeys: state.filterToggledKeys = try cursor.readKeys()
      case .filterCollapsedSections: state.filterCollapsedSections = try sectionNames(&cursor)
      case .expansion, .order, .filter, .selection, .nestedExpansion, .accordion,
        .idleTimeoutSeconds, .viewSort:
        if let option = OptionField(rawValue: field.rawValue) {
          try patch.read(option, from: &cursor)
        }
      }
    }
    state.options = patch.applied(to: SessionOptions())
    return state
  }

  /// Reads names of existing sections, which may repeat.
  private static func sectionNames(
    _ cursor: inout BodyCursor
  ) throws(ServiceError) -> [ByteSlice] {
    var names: [ByteSlice] = []
    try cursor.beginArray()
    while try cursor.nextElement() { names.append(try cursor.readSectionName()) }
    return names
  }
}
