// Reads. Each method has the name of its operation in `openapi.yaml`, or is a short form of one.
extension TreeSession {
  /// Reads the description of the session.
  public func getSession(_ options: ReadOptions = ReadOptions()) async throws -> SessionDescription
  {
    try await read(call(.getSession, [], options.query(), options.request))
  }

  /// Reads the options, expansion and selection, in the form of the `state` of a new session.
  public func getState(_ options: ReadOptions = ReadOptions()) async throws -> JSONValue {
    try await read(call(.getState, [], options.query(), options.request))
  }

  /// Reads a page of rows; a ``TreeView`` keeps them up to date.
  public func rows<Object>(
    _ query: RowsQuery = RowsQuery(),
    as type: Object.Type = JSONValue.self,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> RowPage<Object> {
    try await listRows(query, as: type, options)
  }

  /// Reads a page of rows.
  public func listRows<Object>(
    _ query: RowsQuery = RowsQuery(),
    as type: Object.Type = JSONValue.self,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> RowPage<Object> {
    try await read(call(.listRows, [], query.query, options))
  }

  /// Reads the row at an index.
  public func getRow<Object>(
    _ index: Int,
    fields: [RowField]? = nil,
    as type: Object.Type = JSONValue.self,
    _ options: ReadOptions = ReadOptions()
  ) async throws -> SingleRow<Object> {
    try await read(call(.getRow, ["\(index)"], options.query(fields), options.request))
  }

  /// Reads up to 1000 nodes by their keys.
  public func getNodes<Object>(
    _ keys: [String],
    fields: [RowField]? = nil,
    as type: Object.Type = JSONValue.self,
    _ options: ReadOptions = ReadOptions()
  ) async throws -> NodeList<Object> {
    var call = call(.getNodes, [], options.query(), options.request)
    call.body = try JSONCoding.encode(NodesQuery(keys: keys, fields: fields))
    return try await read(call)
  }

  /// Reads a node.
  public func getNode<Object>(
    _ key: String,
    fields: [RowField]? = nil,
    as type: Object.Type = JSONValue.self,
    _ options: ReadOptions = ReadOptions()
  ) async throws -> SingleRow<Object> {
    try await read(call(.getNode, [key], options.query(fields), options.request))
  }

  /// Reads a range of a node's children, expanded or not.
  ///
  /// If the key is nil, reads the roots.
  public func children<Object>(
    of key: String?,
    _ query: RangeQuery = RangeQuery(),
    as type: Object.Type = JSONValue.self,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> ChildRange<Object> {
    try await listRoots(query, parent: key, as: type, options)
  }

  /// Reads a range of a node's children, expanded or not.
  public func listChildren<Object>(
    _ key: String,
    _ query: RangeQuery = RangeQuery(),
    as type: Object.Type = JSONValue.self,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> ChildRange<Object> {
    try await read(call(.listChildren, [key], query.query, options))
  }

  /// Reads a range of the roots, of a section's roots, or of the children of `parent`.
  public func listRoots<Object>(
    _ query: RangeQuery = RangeQuery(),
    parent: String? = nil,
    section: String? = nil,
    as type: Object.Type = JSONValue.self,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> ChildRange<Object> {
    let query = query.query(below: parent, in: section)
    return try await read(call(.listRoots, [], query, options))
  }

  /// Reads the ancestors of a node.
  public func listAncestors<Object>(
    _ key: String,
    fields: [RowField]? = nil,
    as type: Object.Type = JSONValue.self,
    _ options: ReadOptions = ReadOptions()
  ) async throws -> AncestorList<Object> {
    try await read(call(.listAncestors, [key], options.query(fields), options.request))
  }

  /// Reads the sections with their rows.
  public func listSections(
    _ options: ReadOptions = ReadOptions()
  ) async throws -> [SectionDescription] {
    try await read(call(.listSections, [], options.query(), options.request))
  }

  /// Searches nodes, visible or not.
  public func search<Object>(
    _ query: SearchQuery,
    as type: Object.Type = JSONValue.self,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> SearchAnswer<Object> {
    try await searchNodes(query, as: type, options)
  }

  /// Searches nodes, visible or not.
  public func searchNodes<Object>(
    _ query: SearchQuery,
    as type: Object.Type = JSONValue.self,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> SearchAnswer<Object> {
    try await read(call(.searchNodes, [], query.query, options))
  }

  /// Reads the net change list since a revision once.
  ///
  /// To follow, use ``changes(since:as:_:)``.
  ///
  /// - Parameters:
  ///   - since: The revision.
  ///   - wait: The maximum time in seconds to wait for a change, 0 to 60.
  ///   - type: The type of the objects, for lists that have rows.
  ///   - options: The options of the list.
  /// - Returns: The list, which is empty if nothing changed.
  /// - Throws: ``TreeProblem`` `history-expired` if the history does not go back that far.
  public func followChanges<Object>(
    since: Int,
    wait: Int? = nil,
    as type: Object.Type = JSONValue.self,
    _ options: ChangeOptions = ChangeOptions()
  ) async throws -> ChangeList<Object> {
    let query: Query = ["since": "\(since)", "wait": wait.map(String.init)]
    return try await read(
      call(.followChanges, [], options.query.merging(query) { $1 }, options.request)
    )
  }
}
