import JSON

/// The members of a state.
private enum StateField: String, CaseIterable {
  case expansion, toggledKeys, selectedKeys, collapsedSections, filterExpansion, filterToggledKeys
  case filterCollapsedSections
  case order, filter, selection, nestedExpansion, accordion, idleTimeoutSeconds, viewSort
  static let table = FieldTable<StateField>()
}

extension BodyDecoder {
  /// Reads a session's state.
  ///
  /// All members are optional. The caller sets ``SessionState/bytes``.
  ///
  /// Unknown keys are accepted: those of removed nodes have no effect.
  mutating func sessionState() throws(ServiceError) -> SessionState {
    var state = SessionState()
    var patch = SessionPatch()
    var seen = SeenMembers()
    try cursor.beginObject()
    while let field = try cursor.nextField(of: StateField.table, &seen) {
      switch field {
      case .toggledKeys: state.toggledKeys = try keyList()
      case .selectedKeys: state.selectedKeys = try keyList()
      case .collapsedSections: state.collapsedSections = try sectionNames()
      case .filterExpansion: state.filterExpansion = try expansion()
      case .filterToggledKeys: state.filterToggledKeys = try keyList()
      case .filterCollapsedSections: state.filterCollapsedSections = try sectionNames()
      case .expansion, .order, .filter, .selection, .nestedExpansion, .accordion,
        .idleTimeoutSeconds, .viewSort:
        if let option = OptionField(rawValue: field.rawValue) { try read(option, &patch) }
      }
    }
    state.options = patch.applied(to: SessionOptions())
    return state
  }

  /// Reads names of existing sections, which may repeat.
  private mutating func sectionNames() throws(ServiceError) -> [ByteSlice] {
    var names: [ByteSlice] = []
    try cursor.beginArray()
    while try cursor.nextElement() { names.append(try sectionName()) }
    return names
  }
}
