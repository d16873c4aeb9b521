// Changes by batches. Each is answered with the net difference of the rows.
extension TreeSession {
  /// Applies operations, all or none.
  @discardableResult
  public func batch(
    _ operations: [TreeOperation],
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    let body = try JSONCoding.encode(["operations": operations])
    return try await change(.applyBatch, body: body, options)
  }

  /// Inserts a node with everything below it.
  @discardableResult
  public func insert(
    _ node: NewNode,
    into parent: String? = nil,
    at place: TreeOperation.Place? = nil,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await batch([.insert(node, into: parent, at: place)], options)
  }

  /// Merges members into the object of a node (RFC 7396).
  @discardableResult
  public func update(
    _ key: String,
    merging patch: JSONValue,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await batch([.update(key, merging: patch)], options)
  }

  /// Removes nodes and everything below them.
  @discardableResult
  public func remove(
    _ keys: String...,
    options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await batch([.remove(keys)], options)
  }

  /// Moves a node with everything below it.
  @discardableResult
  public func move(
    _ key: String,
    into parent: String?,
    at place: TreeOperation.Place? = nil,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await batch([.move(key, into: parent, at: place)], options)
  }

  /// Expands a node.
  @discardableResult
  public func expand(
    _ key: String,
    levels: TreeOperation.Levels? = nil,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await batch([.expand(key, levels: levels)], options)
  }

  /// Collapses a node.
  @discardableResult
  public func collapse(
    _ key: String,
    levels: TreeOperation.Levels? = nil,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await batch([.collapse(key, levels: levels)], options)
  }

  /// Expands a collapsed node, or collapses an expanded one.
  @discardableResult
  public func toggle(
    _ key: String,
    levels: TreeOperation.Levels? = nil,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await batch([.toggle(key, levels: levels)], options)
  }

  /// Expands every ancestor of a node.
  ///
  /// The index of its row is the answer's `revealedIndex`.
  @discardableResult
  public func reveal(
    _ key: String,
    selecting: Bool = false,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await batch([.reveal(key, selecting: selecting)], options)
  }

  /// Selects nodes.
  @discardableResult
  public func select(
    _ nodes: TreeOperation.Nodes,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await batch([.select(nodes)], options)
  }

  /// Removes nodes from the selection.
  @discardableResult
  public func deselect(
    _ nodes: TreeOperation.Nodes,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<JSONValue> {
    try await batch([.deselect(nodes)], options)
  }

  /// Changes options of the session.
  ///
  /// The answer contains the changes of the rows.
  @discardableResult
  public func patch(
    _ session: SessionOptions,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> PatchedSession {
    try await patchSession(session, options)
  }
}

/// A session whose options were changed.
public struct PatchedSession: Sendable {
  /// The session after the change.
  public let description: SessionDescription
  /// The changes of the rows.
  public let changes: ChangeList<JSONValue>
}
