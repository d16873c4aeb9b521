import JSON

/// The members of a new tree.
private enum TreeField: String, CaseIterable {
  case tree, sort, sections, nodes
  static let table = FieldTable<TreeField>()
}

extension NewTree {
  /// Reads the body of `POST /v1/trees`.
  ///
  /// - Parameters:
  ///   - body: The whole body. An empty one asks for an empty tree with a generated id.
  ///   - limits: The limits of the body.
  /// - Returns: The tree to create.
  /// - Throws: `malformed-json`, `invalid-request`, `duplicate-key` for a repeated section, or
  ///   `content-too-large`, with a pointer to the fault.
  /// - Complexity: O(length of the body).
  package static func decode(
    body: [UInt8],
    limits: DecodingLimits = DecodingLimits()
  ) throws(ServiceError) -> NewTree {
    guard !body.isEmpty else {
      var tree = NewTree()
      tree.bodyCount = 0
      return tree
    }
    return try BodyCursor.decode(body, limits) { cursor throws(ServiceError) in
      var tree = try read(from: &cursor)
      try cursor.finish()
      tree.bytes = cursor.bytes
      tree.bodyCount = body.count
      return tree
    }
  }

  private static func read(from cursor: inout BodyCursor) throws(ServiceError) -> NewTree {
    var tree = NewTree()
    var nodes = NodeDecoder()
    var seen = SeenMembers()
    try cursor.beginObject()
    while let field = try cursor.nextField(of: TreeField.table, &seen) {
      switch field {
      case .tree: tree.tree = try cursor.readTreeID()
      case .sort: tree.sort = try SortOrder.read(from: &cursor)
      case .sections: tree.sections = try cursor.readNewSections()
      case .nodes: try nodes.readList(depth: 0, &cursor)
      }
    }
    tree.nodes = nodes.nodes
    tree.rootSections = nodes.rootSections
    return tree
  }
}
