public import TreeDomain

/// What the service does not do yet.
extension SessionStore {
  private static var unbuilt: ServiceError {
    ServiceError(.unknownOperation, "The service does not do this yet.")
  }

  /// Not done yet.
  public func patchSession(
    _ id: SessionID,
    _ patch: SessionPatch,
    _ options: BatchOptions
  ) throws(ServiceError) -> PatchAnswer { throw Self.unbuilt }

  /// Not done yet.
  public func state(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SessionState { throw Self.unbuilt }

  /// Not done yet.
  public func sections(
    of id: SessionID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> SectionList { throw Self.unbuilt }

  /// Not done yet.
  public func search(
    in id: SessionID,
    _ query: SearchQuery
  ) throws(ServiceError) -> SearchResult { throw Self.unbuilt }

  /// Not done yet.
  public func changes(
    of id: SessionID,
    _ query: ChangesQuery
  ) throws(ServiceError) -> BatchAnswer { throw Self.unbuilt }

  /// Not done yet.
  public func follow(
    _ id: SessionID,
    since: Revision?,
    _ options: BatchOptions,
    notify: @escaping @Sendable () -> Void
  ) throws(ServiceError) -> any Following { throw Self.unbuilt }

  /// Not done yet.
  public func createTree(
    _ tree: NewTree,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<TreeDescription> { throw Self.unbuilt }

  /// Not done yet.
  public func trees(after: TreeID?, limit: Int) -> TreePage { TreePage(trees: []) }

  /// Not done yet.
  public func tree(
    _ id: TreeID,
    expectedRevision: Revision?
  ) throws(ServiceError) -> TreeDescription { throw Self.unbuilt }

  /// Not done yet.
  public func deleteTree(_ id: TreeID) throws(ServiceError) { throw Self.unbuilt }

  /// Not done yet.
  public func node(
    _ key: [UInt8],
    of tree: TreeID,
    _ options: ReadOptions
  ) throws(ServiceError) -> TreeNodeView { throw Self.unbuilt }

  /// Not done yet.
  public func children(
    of key: [UInt8]?,
    section: [UInt8]?,
    _ range: Range<Int>,
    of tree: TreeID,
    _ options: ReadOptions
  ) throws(ServiceError) -> TreeChildRange { throw Self.unbuilt }

  /// Not done yet.
  public func apply(
    _ batch: Batch,
    to tree: TreeID,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer { throw Self.unbuilt }

  /// Not done yet.
  public func importNodes(
    _ nodes: Import,
    into tree: TreeID,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer { throw Self.unbuilt }

  /// Not done yet.
  public func export(_ tree: TreeID) throws(ServiceError) -> any TreeExport { throw Self.unbuilt }
}
