/// The part of the service that needs no session: shared trees.
///
/// Errors are as described at ``TreeService``.
package protocol SharedTreeService: Sendable {
  /// Creates a shared tree.
  ///
  /// - Parameters:
  ///   - tree: The id and the options of the tree, and its initial content.
  ///   - idempotency: The key of the request, for retries.
  /// - Returns: The tree's description at revision 0.
  /// - Throws: `tree-exists`, `duplicate-key`, `section-not-found`, `depth-limit`,
  ///   `content-too-large`, or `overloaded` if there are too many trees.
  func createTree(
    _ tree: NewTree,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<TreeDescription>

  /// Lists shared trees, sorted by id.
  ///
  /// - Parameters:
  ///   - after: The id after which the list starts; `nil` for its start.
  ///   - limit: The most trees to list, 1 or more.
  /// - Returns: The trees.
  /// - Throws: `storage-failed` if another instance may have some of them by now.
  func trees(after: TreeID?, limit: Int) throws(ServiceError) -> TreePage

  /// Describes a shared tree.
  ///
  /// - Parameters:
  ///   - id: The tree.
  ///   - expectedRevision: The client's revision, for a check; `nil` for none.
  /// - Returns: The description at this moment.
  /// - Throws: `revision-changed`.
  func tree(_ id: TreeID, expectedRevision: Revision?) throws(ServiceError) -> TreeDescription

  /// Deletes a shared tree and all its sessions.
  ///
  /// - Parameters:
  ///   - id: The tree.
  ///   - condition: The condition on the tree's revision; nil for none.
  ///   - idempotency: The key of the request, for retries.
  /// - Returns: The answer. A repeated request gets the same answer, even if a new tree has this
  ///   id by then.
  /// - Throws: `revision-mismatch` or `idempotency-key-reused`.
  func deleteTree(
    _ id: TreeID,
    _ condition: RevisionCondition?,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Ending

  /// Reads a node without a view.
  ///
  /// - Parameters:
  ///   - key: The node's key.
  ///   - tree: The tree.
  ///   - options: The members to return, and the expected revision.
  /// - Returns: The node.
  /// - Throws: `node-not-found`, `revision-changed`.
  func node(
    _ key: [UInt8],
    of tree: TreeID,
    _ options: ReadOptions
  ) throws(ServiceError) -> TreeNodeView

  /// Reads nodes by their keys, without a view.
  ///
  /// - Parameters:
  ///   - query: The keys, and the members to return.
  ///   - tree: The tree.
  /// - Returns: The nodes in the order of the keys.
  /// - Throws: `revision-changed`, `content-too-large`.
  func nodes(_ query: NodesQuery, of tree: TreeID) throws(ServiceError) -> TreeNodeList

  /// Reads a range of a node's children, or of the roots, without a view.
  ///
  /// - Parameters:
  ///   - query: The parent and the positions, and the members to return.
  ///   - tree: The tree.
  /// - Returns: The children in the range.
  /// - Throws: `node-not-found`, `section-not-found`, `revision-changed`, or
  ///   `range-not-satisfiable` if the range starts after the end.
  func children(_ query: ChildrenQuery, of tree: TreeID) throws(ServiceError) -> TreeChildRange

  /// Applies a batch of data operations to a tree, all or none.
  ///
  /// - Parameters:
  ///   - batch: The operations. Each sees the effects of earlier ones.
  ///   - tree: The tree.
  ///   - options: The options of the batch.
  /// - Returns: The revisions before and after.
  /// - Throws: The errors of a session's batch, and `invalid-request` for a view operation.
  func apply(
    _ batch: Batch,
    to tree: TreeID,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer

  /// Imports nodes into a tree, all or none.
  ///
  /// - Parameters:
  ///   - nodes: The nodes, parents before their children. Each is placed by the tree's sort order,
  ///     or last without one.
  ///   - tree: The tree.
  ///   - options: The options of the import.
  /// - Returns: The revisions before and after.
  /// - Throws: With the line: `duplicate-key`, `parent-not-found`, `section-not-found`,
  ///   `depth-limit`, `content-too-large`.
  func importNodes(
    _ nodes: Import,
    into tree: TreeID,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer

  /// Exports a whole tree at its present revision. Later changes do not affect the export.
  ///
  /// - Parameter tree: The tree.
  /// - Returns: The source of the lines.
  /// - Throws: Only the errors that every function throws.
  func export(_ tree: TreeID) throws(ServiceError) -> any TreeExport
}
