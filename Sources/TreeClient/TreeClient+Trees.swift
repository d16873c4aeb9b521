public import Foundation

// Shared trees. Each method has the name of its operation in `openapi.yaml`.
extension TreeClient {
  /// Creates a tree.
  public func createTree(
    _ tree: NewTree,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> TreeDescription {
    var call = Call(.createTree, options)
    call.body = try JSONCoding.encode(tree)
    return try await answer(call)
  }

  /// Lists trees, sorted by id, after a given one.
  public func listTrees(
    after: String? = nil,
    limit: Int? = nil,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> TreePage {
    let query: Query = ["after": after, "limit": limit.map(String.init)]
    return try await answer(Call(.listTrees, [], query, options))
  }

  /// Describes a tree.
  public func getTree(
    _ tree: String,
    _ options: ReadOptions = ReadOptions()
  ) async throws -> TreeDescription {
    try await answer(Call(.getTree, [tree], options.query(), options.request))
  }

  /// Deletes a tree, which ends its sessions.
  public func deleteTree(
    _ tree: String,
    _ options: RequestOptions = RequestOptions()
  ) async throws {
    try await run(Call(.deleteTree, [tree], [:], options)) { _ in }
  }

  /// Reads up to 1000 nodes by their keys.
  public func getTreeNodes<Object>(
    _ tree: String,
    _ keys: [String],
    fields: [RowField]? = nil,
    as type: Object.Type = JSONValue.self,
    _ options: ReadOptions = ReadOptions()
  ) async throws -> NodeList<Object> {
    var call = Call(.getTreeNodes, [tree], options.query(), options.request)
    call.body = try JSONCoding.encode(NodesQuery(keys: keys, fields: fields))
    return try await answer(call)
  }

  /// Reads a node.
  public func getTreeNode<Object>(
    _ tree: String,
    _ key: String,
    fields: [RowField]? = nil,
    as type: Object.Type = JSONValue.self,
    _ options: ReadOptions = ReadOptions()
  ) async throws -> SingleRow<Object> {
    try await answer(Call(.getTreeNode, [tree, key], options.query(fields), options.request))
  }

  /// Reads a range of a node's children.
  public func listTreeChildren<Object>(
    _ tree: String,
    _ key: String,
    _ query: RangeQuery = RangeQuery(),
    as type: Object.Type = JSONValue.self,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> ChildRange<Object> {
    try await answer(Call(.listTreeChildren, [tree, key], query.query, options))
  }

  /// Reads a range of the roots, of a section's roots, or of the children of `parent`.
  public func listTreeRoots<Object>(
    _ tree: String,
    _ query: RangeQuery = RangeQuery(),
    parent: String? = nil,
    section: String? = nil,
    as type: Object.Type = JSONValue.self,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> ChildRange<Object> {
    let query = query.query(below: parent, in: section)
    return try await answer(Call(.listTreeRoots, [tree], query, options))
  }

  /// Applies operations that change data, all or none.
  public func applyTreeBatch(
    _ tree: String,
    _ operations: [TreeOperation],
    dryRun: Bool = false,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> TreeChange {
    let query: Query = ["dryRun": dryRun ? "true" : nil]
    var call = Call(.applyTreeBatch, [tree], query, options)
    call.body = try JSONCoding.encode(["operations": operations])
    return try await answer(call)
  }

  /// Imports lines of JSON (`{"key", "parent"?, "object"?}`), parents first; all or none.
  ///
  /// `timeout` does not apply, because an import can take long.
  public func importNodes(
    _ tree: String,
    _ lines: Data,
    dryRun: Bool = false,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> TreeChange {
    var call = Call(.importNodes, [tree], ["dryRun": dryRun ? "true" : nil], options)
    call.options.timeout = .seconds(86_400)
    call.body = lines
    call.contentType = "application/x-ndjson"
    return try await answer(call)
  }

  /// Exports the nodes of one revision as lines of JSON, in the form of an import.
  ///
  /// - Returns: The bytes as a stream. They are read at the speed of the network, so a slow
  ///   consumer makes them accumulate in memory.
  public func exportNodes(
    _ tree: String,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> AsyncThrowingStream<Data, any Error> {
    try await send(Call(.exportNodes, [tree], [:], options)).body
  }
}

/// A request for nodes by their keys.
struct NodesQuery: Encodable {
  var keys: [String]
  var fields: [RowField]?
}
