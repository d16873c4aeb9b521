import TreeDomain
import TreeEngine

/// A session's tree manager: the tree, what the session shows of it, and the revisions of both.
///
/// Translates between the vocabulary of the contract (keys, places, operations, change lists by
/// key) and the engine's (nodes, indexes, splices). Knows no lock: ``Session`` holds one around it.
struct TreeManager: ~Copyable {
  typealias EngineTree = Tree<64>

  let session: SessionID
  let treeID: TreeID
  let limits: SessionLimits
  var options: SessionOptions
  var tree: EngineTree
  let view: EngineTree.ViewID
  private(set) var revision = Revision(0)
  private(set) var treeRevision = Revision(0)
  /// What is known about sorted siblings.
  var sorted = SortedSiblings()
  let usage: ByteUsage
  /// The bytes this tree has added to `usage`.
  private var countedBytes = 0
  private(set) var hasEnded = false

  init(
    session: SessionID,
    tree id: TreeID,
    options: SessionOptions,
    limits: SessionLimits,
    usage: ByteUsage
  ) {
    self.session = session
    treeID = id
    self.options = options
    self.limits = limits
    self.usage = usage
    tree = EngineTree(maxDepth: limits.maxDepth)
    view = tree.addView(rule: options.expansion)
  }

  /// Gives a new tree its first nodes and opens what is to be open, at revision 0.
  mutating func fill(_ new: NewSession) throws(ServiceError) {
    tree.begin()
    do throws(ServiceError) {
      for root in roots(of: new.nodes) {
        let batch = Batch(bytes: new.bytes, operations: [], nodes: new.nodes)
        try insert(root, of: batch, under: .forestRoot, .default)
      }
      for key in new.expandedKeys {
        let node = try find(new[key])
        tree.reveal([node], in: view)
        tree.expand(node, in: view)
      }
    } catch {
      tree.rollback()
      throw error
    }
    tree.commit()
    countBytes()
  }

  /// The ranges of a list in pre-order that begin with a root each.
  private func roots(of nodes: [NewNode]) -> [Range<Int>] {
    let starts = nodes.indices.filter { nodes[$0].depth == 0 }
    return zip(starts, starts.dropFirst() + [nodes.count]).map { $0..<$1 }
  }

  func description() -> SessionDescription {
    SessionDescription(
      session: session,
      tree: treeID,
      revision: revision,
      treeRevision: treeRevision,
      rowCount: tree.rowCount(of: view),
      nodeCount: tree.nodeCount,
      options: options
    )
  }

  /// Refuses to go on at another revision than the client goes by.
  func check(_ expected: Revision?) throws(ServiceError) {
    guard let expected, expected != revision else { return }
    var error = ServiceError(
      .revisionChanged,
      "The session is at revision \(revision.number) now; read it again without `revision`."
    )
    error.revision = revision
    throw error
  }

  /// The node with a key.
  func find(_ key: ArraySlice<UInt8>) throws(ServiceError) -> NodeID {
    guard let node = tree.node(forKey: key.span) else {
      throw ServiceError(.nodeNotFound, "The tree has no node with this key.", key: key)
    }
    return node
  }

  /// Spends the revisions that a transaction has earned.
  mutating func advance(data: Bool, view: Bool) {
    if data { treeRevision = treeRevision.next }
    if data || view { revision = revision.next }
  }

  /// Tells the others how many bytes this tree holds.
  mutating func countBytes() {
    usage.add(tree.byteCount - countedBytes)
    countedBytes = tree.byteCount
  }

  /// Gives the tree's bytes back, for the session has ended.
  ///
  /// Whoever found the session before, and comes to the tree only now, is told that there is none.
  mutating func end() {
    usage.add(-countedBytes)
    hasEnded = true
  }
}
