import Foundation

// Changes of one operation each. Each method has the name of its operation in `openapi.yaml`.
extension TreeSession {
  /// Changes options of the session.
  public func patchSession(
    _ session: SessionOptions,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> PatchedSession {
    try await change(.patchSession, body: JSONCoding.encode(session), options) { data in
      PatchedSession(
        description: try JSONCoding.decode(SessionDescription.self, from: data),
        changes: try JSONCoding.decode(ChangeList<JSONValue>.self, from: data)
      )
    }
  }

  /// Ends the session.
  public func deleteSession(_ options: RequestOptions = RequestOptions()) async throws {
    try await client.run(call(.deleteSession, [], [:], options)) { _ in }
  }

  /// Inserts a node, or replaces the object and children of an existing one.
  @discardableResult
  public func putNode(
    _ node: NewNode,
    into parent: String? = nil,
    at place: TreeOperation.Place? = nil,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    var members = TreeOperation.insert(node, into: parent, at: place).members
    members["op"] = nil
    members["key"] = nil
    return try await change(.putNode, [node.key], body: JSONCoding.encode(members), options)
  }

  /// Merges members into the object of a node (RFC 7396).
  @discardableResult
  public func patchNode(
    _ key: String,
    _ patch: JSONValue,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await change(.patchNode, [key], body: JSONCoding.encode(patch), options)
  }

  /// Removes a node and everything below it.
  @discardableResult
  public func deleteNode(
    _ key: String,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await change(.deleteNode, [key], options)
  }

  /// Replaces the children of a node by comparing keys.
  ///
  /// A number of children that are not loaded cannot be given.
  @discardableResult
  public func putChildren(
    _ key: String,
    _ children: TreeOperation.Children,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    let body = try JSONCoding.encode(children.members["children"])
    return try await change(.putChildren, [key], body: body, options)
  }

  /// Replaces all nodes, or those of a section, by comparing keys.
  @discardableResult
  public func putForest(
    _ roots: [NewNode],
    section: String? = nil,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    let body = try JSONCoding.encode(roots)
    return try await change(.putForest, body: body, query: ["section": section], options)
  }

  /// Applies operations, all or none.
  @discardableResult
  public func applyBatch(
    _ operations: [TreeOperation],
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await batch(operations, options)
  }

  /// Expands a node.
  @discardableResult
  public func expandNode(
    _ key: String,
    levels: TreeOperation.Levels? = nil,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await act(.expandNode, .expand(key, levels: levels), key, options)
  }

  /// Collapses a node.
  @discardableResult
  public func collapseNode(
    _ key: String,
    levels: TreeOperation.Levels? = nil,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await act(.collapseNode, .collapse(key, levels: levels), key, options)
  }

  /// Expands a collapsed node, or collapses an expanded one.
  @discardableResult
  public func toggleNode(
    _ key: String,
    levels: TreeOperation.Levels? = nil,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await act(.toggleNode, .toggle(key, levels: levels), key, options)
  }

  /// Expands every ancestor of a node.
  @discardableResult
  public func revealNode(
    _ key: String,
    selecting: Bool = false,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await act(.revealNode, .reveal(key, selecting: selecting), key, options)
  }

  /// Selects a node, with or without everything below it.
  @discardableResult
  public func selectNode(
    _ key: String,
    subtree: Bool = false,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    let body = try JSONCoding.encode(subtree ? ["subtree": true] : [:])
    return try await change(.selectNode, [key], body: body, options)
  }

  /// Removes a node from the selection, with or without everything below it.
  @discardableResult
  public func deselectNode(
    _ key: String,
    subtree: Bool = false,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    let body = try JSONCoding.encode(subtree ? ["subtree": true] : [:])
    return try await change(.deselectNode, [key], body: body, options)
  }

  /// Moves a node with everything below it.
  @discardableResult
  public func moveNode(
    _ key: String,
    into parent: String?,
    at place: TreeOperation.Place? = nil,
    section: String? = nil,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    let operation = TreeOperation.move(key, into: parent, at: place, section: section)
    return try await act(.moveNode, operation, key, options)
  }

  /// Expands every node, including those inserted later.
  @discardableResult
  public func expandAll(
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await change(.expandAll, [], options)
  }

  /// Collapses every node, including those inserted later.
  @discardableResult
  public func collapseAll(
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await change(.collapseAll, [], options)
  }

  /// Removes all nodes from the selection.
  @discardableResult
  public func clearSelection(
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await change(.clearSelection, [], options)
  }

  /// Sends an operation with the key in the path.
  private func act(
    _ route: Route,
    _ operation: TreeOperation,
    _ key: String,
    _ options: ChangeOptions
  ) async throws -> ChangeList<JSONValue> {
    var members = operation.members
    for name in ["op", "key", "keys"] { members[name] = nil }
    return try await change(route, [key], body: JSONCoding.encode(members), options)
  }
}
