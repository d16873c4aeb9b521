import JSON
import TreeEngine

/// The members of a new session.
private enum SessionField: String, CaseIterable {
  case expansion, expandedKeys, nestedExpansion, sort, nodes
  static let table = FieldTable<SessionField>()
}

private enum ExpansionWord: String, CaseIterable {
  case all, none
  static let table = FieldTable<ExpansionWord>()
}

private let nestedExpansions = FieldTable<SessionOptions.NestedExpansion>()

extension NewSession {
  /// Reads the body of `POST /v1/sessions`.
  ///
  /// - Parameters:
  ///   - body: The whole body; an empty one asks for a session with all defaults.
  ///   - limits: What is allowed.
  /// - Returns: The session to be made.
  /// - Throws: `malformed-json`, `invalid-request` or `content-too-large`, with the place the fault
  ///   is at.
  /// - Complexity: O(length of the body).
  public static func decode(
    body: [UInt8],
    limits: DecodingLimits = DecodingLimits()
  ) throws(ServiceError) -> NewSession {
    guard !body.isEmpty else { return NewSession() }
    return try BodyDecoder.decode(body, limits) { decoder throws(ServiceError) in
      var session = NewSession()
      try decoder.read(&session)
      try decoder.cursor.finish()
      session.nodes = decoder.nodes
      session.bytes = decoder.cursor.bytes
      return session
    }
  }
}

extension BodyDecoder {
  fileprivate mutating func read(_ session: inout NewSession) throws(ServiceError) {
    var seen = SeenMembers()
    try cursor.beginObject()
    while let field = try cursor.nextField(of: SessionField.table, &seen) {
      switch field {
      case .expansion: session.options.expansion = try expansion()
      case .expandedKeys: session.expandedKeys = try keyList()
      case .nestedExpansion: session.options.nestedExpansion = try word(of: nestedExpansions)
      case .sort: session.options.sort = try sortOrder()
      case .nodes: try nodeList(depth: 0)
      }
    }
  }

  private mutating func expansion() throws(ServiceError) -> ExpansionRule {
    if try cursor.peekKind() == .string {
      switch try cursor.readWord(of: ExpansionWord.table) {
      case .all: return .all
      case ExpansionWord.none?: return .none
      case nil: throw cursor.invalid("This must be \"all\", \"none\" or a number of levels.")
      }
    }
    return .levels(try cursor.readInt(atLeast: 0))
  }
}
