/// Trees that any number of sessions look at: what can be asked for without one.
///
/// Fails as ``TreeService`` does.
public protocol SharedTreeService: Sendable {
  /// Makes a shared tree.
  ///
  /// - Parameters:
  ///   - tree: Its name, its options, and what it holds at first.
  ///   - idempotency: What makes a repeated request the same one.
  /// - Returns: The tree's description, at revision 0.
  /// - Throws: `tree-exists`, `duplicate-key`, `section-not-found`, `depth-limit`,
  ///   `content-too-large`, `overloaded` when there are as many trees as there may be.
  func createTree(
    _ tree: NewTree,
    _ idempotency: IdempotencyKey?
  ) throws(ServiceError) -> Created<TreeDescription>

  /// Lists shared trees by their ids.
  ///
  /// - Parameters:
  ///   - after: The id behind which the list goes on; `nil` for its start.
  ///   - limit: The most trees to list, 1 or more.
  /// - Returns: The trees.
  func trees(after: TreeID?, limit: Int) -> TreePage

  /// Describes a shared tree.
  ///
  /// - Parameters:
  ///   - id: The tree.
  ///   - expectedRevision: The revision the client goes by, or `nil` for any.
  /// - Returns: The description at this moment.
  /// - Throws: `revision-changed`.
  func tree(_ id: TreeID, expectedRevision: Revision?) throws(ServiceError) -> TreeDescription

  /// Ends a shared tree and all its sessions.
  ///
  /// - Parameters:
  ///   - id: The tree.
  ///   - condition: At which revisions of the tree; nil: at any.
  ///   - idempotency: What a repeated request is known by.
  /// - Returns: The answer, again for a request that came before, whatever is there by now.
  /// - Throws: `revision-mismatch`, `idempotency-key-reused`.
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
  ///   - options: What is wanted of it.
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
  ///   - query: The keys, and what is wanted of the nodes.
  ///   - tree: The tree.
  /// - Returns: The nodes in the order of the keys.
  /// - Throws: `revision-changed`, `content-too-large`.
  func nodes(_ query: NodesQuery, of tree: TreeID) throws(ServiceError) -> TreeNodeList

  /// Reads a run of a node's children, or of the roots, without a view.
  ///
  /// - Parameters:
  ///   - key: The parent's key; `nil` for the roots.
  ///   - section: The section whose roots are wanted; `nil` for all of them, and below a node.
  ///   - range: The positions wanted, from 0 or more on; cut off where the children end.
  ///   - tree: The tree.
  ///   - options: What is wanted of them.
  /// - Returns: The children, as far as there are any.
  /// - Throws: `node-not-found`, `section-not-found`, `range-not-satisfiable` when it begins beyond
  ///   the end, `revision-changed`.
  func children(
    of key: [UInt8]?,
    section: [UInt8]?,
    _ range: Range<Int>,
    of tree: TreeID,
    _ options: ReadOptions
  ) throws(ServiceError) -> TreeChildRange

  /// Applies a batch of data operations to a tree, all of it or nothing.
  ///
  /// - Parameters:
  ///   - batch: The operations; each sees what the earlier ones did.
  ///   - tree: The tree.
  ///   - options: How to take it.
  /// - Returns: The revisions before and after.
  /// - Throws: What a batch of a session does, and `invalid-request` for a view operation.
  func apply(
    _ batch: Batch,
    to tree: TreeID,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer

  /// Brings nodes into a tree, all of them or none.
  ///
  /// - Parameters:
  ///   - nodes: The nodes, parents before their children; each goes behind its siblings, or where
  ///     the tree's order has it.
  ///   - tree: The tree.
  ///   - options: How to take it.
  /// - Returns: The revisions before and after.
  /// - Throws: With the line: `duplicate-key`, `parent-not-found`, `section-not-found`,
  ///   `depth-limit`, `content-too-large`.
  func importNodes(
    _ nodes: Import,
    into tree: TreeID,
    _ options: BatchOptions
  ) throws(ServiceError) -> TreeBatchAnswer

  /// Writes a whole tree as it is now, whatever happens to it meanwhile.
  ///
  /// - Parameter tree: The tree.
  /// - Returns: What is asked for lines.
  /// - Throws: Only what every function does.
  func export(_ tree: TreeID) throws(ServiceError) -> any TreeExport
}
