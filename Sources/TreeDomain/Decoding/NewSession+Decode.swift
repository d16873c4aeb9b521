import JSON
import TreeEngine

/// The members of a new session.
private enum SessionField: String, CaseIterable {
  case tree, expansion, expandedKeys, order, filter, selection, nestedExpansion, accordion
  case idleTimeoutSeconds, state, sort, viewSort, sections, nodes, access
  static let table = FieldTable<SessionField>()
}

private let accesses = FieldTable<SessionAccess>()

extension NewSession {
  /// Reads the body of `POST /v1/sessions`.
  ///
  /// - Parameters:
  ///   - body: The whole body; an empty one asks for a session with all defaults.
  ///   - limits: The limits of the body.
  /// - Returns: The session to create.
  /// - Throws: `malformed-json`, `invalid-request`, `duplicate-key` for a repeated section, or
  ///   `content-too-large`, with a pointer to the fault.
  /// - Complexity: O(length of the body).
  package static func decode(
    body: [UInt8],
    limits: DecodingLimits = DecodingLimits()
  ) throws(ServiceError) -> NewSession {
    guard !body.isEmpty else {
      var session = NewSession()
      session.bodyCount = 0
      return session
    }
    return try BodyCursor.decode(body, limits) { cursor throws(ServiceError) in
      var session = try read(from: &cursor)
      try cursor.finish()
      session.bytes = cursor.bytes
      session.bodyCount = body.count
      session.state?.bytes = session.bytes
      return session
    }
  }

  private static func read(from cursor: inout BodyCursor) throws(ServiceError) -> NewSession {
    var session = NewSession()
    var nodes = NodeDecoder()
    var patch = SessionPatch()
    var access = SessionAccess.write
    var seen = SeenMembers()
    try cursor.beginObject()
    while let field = try cursor.nextField(of: SessionField.table, &seen) {
      switch field {
      case .tree: session.tree = try cursor.readTreeID()
      case .expandedKeys: session.expandedKeys = try cursor.readKeys()
      case .state: session.state = try SessionState.read(from: &cursor)
      case .sections: session.sections = try cursor.readNewSections()
      case .nodes: try nodes.readList(depth: 0, &cursor)
      case .access: access = try cursor.readOne(of: accesses)
      case .expansion, .order, .filter, .selection, .nestedExpansion, .accordion,
        .idleTimeoutSeconds, .sort, .viewSort:
        if let option = OptionField(rawValue: field.rawValue) {
          try patch.read(option, from: &cursor)
        }
      }
    }
    if session.tree != nil { try refusePrivate(seen, cursor) }
    session.merge(patch)
    session.options.access = access
    session.nodes = nodes.nodes
    session.rootSections = nodes.rootSections
    return session
  }

  /// Refuses members that a session on a shared tree must not have.
  private static func refusePrivate(
    _ seen: SeenMembers,
    _ cursor: BodyCursor
  ) throws(ServiceError) {
    for (position, field) in SessionField.table.fields.enumerated() {
      guard [.sort, .sections, .nodes].contains(field), seen.contains(position) else { continue }
      throw cursor.invalid(
        "A shared tree has its own \(field.rawValue); leave it out, or the tree.",
        member: field.rawValue
      )
    }
  }
}

extension NewSession {
  /// Merges the options with those of the state.
  ///
  /// The options of the request win.
  fileprivate mutating func merge(_ patch: SessionPatch) {
    options = patch.applied(to: state?.options ?? SessionOptions())
    guard var state else { return }
    if options.filter != state.options.filter {
      // The expansion under another filter does not apply to the rows of this one.
      state.filterExpansion = nil
      state.filterToggledKeys = []
      state.filterCollapsedSections = []
    }
    state.options = options
    self.state = state
  }
}
