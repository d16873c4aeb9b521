/// A naive model of a session, written from the contract alone.
///
/// Reads walk the whole tree, and a failed batch discards a copy. A node is expanded if the rule
/// expands it or it was toggled, but not both; a leaf is never expanded. The history keeps the
/// state of every revision.
package final class ModelSession {
  /// The state of the session at a revision.
  struct Moment {
    var picture: ModelPicture
    /// The moves between the previous revision and this one.
    var moves: ModelMoves
    /// True if a request of this session made the revision.
    var isOwn: Bool
  }

  /// The tree and its sessions.
  package let shared: ModelSharedTree
  private(set) var view: ModelView
  /// The states by revision.
  private var history: [Moment] = []

  var tree: ModelTree { shared.tree }

  /// Creates a session with a private tree.
  ///
  /// - Throws: ``ModelError`` if a key occurs twice or an expanded key does not exist.
  package convenience init(_ options: ModelSessionOptions) throws(ModelError) {
    try self.init(options, over: try ModelSharedTree(options))
  }

  /// Creates a session on a tree.
  ///
  /// - Throws: ``ModelError`` if an expanded key does not exist.
  package init(
    _ options: ModelSessionOptions,
    over shared: ModelSharedTree
  ) throws(ModelError) {
    self.shared = shared
    var view = ModelView(options)
    let reading = ModelReading(tree: shared.tree, view: view)
    for key in options.expandedKeys {
      guard let node = shared.tree.nodes[key] else {
        throw ModelError(code: .nodeNotFound, operation: 0)
      }
      for node in node.ancestors + [node] where node.childState != .leaf {
        guard !reading.isExpanded(node, view.expansion) else { continue }
        view.expansion.toggled.formSymmetricDifference([node.identity])
      }
    }
    self.view = view
    history = [Moment(picture: picture, moves: ModelMoves(), isOwn: true)]
    shared.add(self)
  }

  /// Creates a session in the same state, on a tree with the same content.
  init(copying other: ModelSession, over shared: ModelSharedTree) {
    self.shared = shared
    view = other.view
    history = other.history
    shared.add(self)
  }

  /// Returns an independent session in the same state, on a copy of the tree.
  package func copy() -> ModelSession {
    let tree = ModelSharedTree(copying: tree, revision: shared.revision)
    return ModelSession(copying: self, over: tree)
  }

  // MARK: - Changing

  /// Applies all operations or none.
  ///
  /// - Throws: ``ModelError`` for the first operation that is refused.
  @discardableResult
  package func apply(_ operations: [ModelOperation]) throws(ModelError) -> ModelOutcome {
    if view.isViewOnly { try checkAccess(operations) }
    return try shared.apply(operations, of: self).outcome
  }

  /// Refuses a batch that changes data, unless it is malformed.
  private func checkAccess(_ operations: [ModelOperation]) throws(ModelError) {
    for (index, operation) in operations.enumerated() {
      if case .malformed(_, let code) = operation { throw ModelError(code: code, operation: index) }
      if operation.isInvalidEverywhere {
        throw ModelError(code: .invalidRequest, operation: index)
      }
    }
    guard let index = operations.firstIndex(where: { !$0.isViewOperation }) else { return }
    throw ModelError(code: .forbidden, operation: index)
  }

  /// Changes options.
  @discardableResult
  package func patch(_ patch: ModelPatch) -> ModelOutcome {
    shared.patch(patch, of: self, isDryRun: false).outcome
  }

  /// Resets the session to a view, with a new history.
  func begin(with view: ModelView) {
    self.view = view
    history = [Moment(picture: picture, moves: ModelMoves(), isOwn: true)]
  }

  /// Sets the view after a batch of this session or another.
  func update(to view: ModelView, moves: ModelMoves, isOwn: Bool, spends: Bool) {
    var moves = moves
    // With a filter, fewer moves can be enough than among all siblings. The same holds for siblings
    // in another order.
    moves.isFewest =
      moves.isFewest && view.filter == nil && self.view.filter == nil && view.viewSort.isEmpty
    self.view = view
    if spends { history.append(Moment(picture: picture, moves: moves, isOwn: isOwn)) }
  }

  // MARK: - Reading

  /// True if the session must not change data.
  var isViewOnly: Bool { view.isViewOnly }

  /// The number of batches that changed the tree or this view.
  package var revision: Int { history.count - 1 }

  /// Returns the state at a revision.
  package func picture(at revision: Int) -> ModelPicture {
    history[revision].picture
  }

  /// Returns the moves between the previous revision and a revision.
  func moves(to revision: Int) -> ModelMoves {
    history[revision].moves
  }

  /// Returns the moves since a revision.
  package func moves(since revision: Int) -> ModelMoves {
    let passed = history[(revision + 1)...].map(\.moves)
    // The list over one revision equals its answer.
    return passed.count == 1 ? passed[0] : passed.reduce(ModelMoves()) { $0.followed(by: $1) }
  }

  /// Returns the origin of the changes between two revisions: `own`, `other` or `mixed`.
  package func origin(since revision: Int, to last: Int? = nil) -> String {
    let moments = history[(revision + 1)..<((last ?? self.revision) + 1)]
    if moments.allSatisfy(\.isOwn) { return "own" }
    return moments.contains(where: \.isOwn) ? "mixed" : "other"
  }

  /// The current rows and sections.
  package var picture: ModelPicture { reading.picture }

  var reading: ModelReading { ModelReading(tree: tree, view: view) }

  /// The number of nodes, including hidden ones.
  package var nodeCount: Int { tree.nodes.count }

  /// The number of selected nodes, including hidden ones.
  package var selectedCount: Int { view.selected.count }

  /// The keys of all nodes, in pre-order.
  package var keys: [ModelKey] { tree.allNodes.map(\.key) }

  /// The visible rows, in order.
  package var rows: [ModelRow] { reading.rows }

  /// The sections in answers.
  package var sections: [ModelSectionRow] { reading.sections }

  /// Returns the row of a node; nil if no node has the key.
  package func row(of key: ModelKey) -> ModelRow? {
    tree.nodes[key].map(reading.row)
  }

  /// Returns the children of a node, or the roots, including hidden ones. Returns nil if the node
  /// or section does not exist.
  package func children(of key: ModelKey?, section: ModelKey? = nil) -> [ModelRow]? {
    let reading = reading
    func rows(_ siblings: [ModelNode]) -> [ModelRow] { reading.ordered(siblings).map(reading.row) }
    if let key { return tree.nodes[key].map { rows($0.children) } }
    guard let section else { return tree.sections.flatMap { rows($0.roots) } }
    return tree.sections.first { $0.name == section }.map { rows($0.roots) }
  }

  /// The keys of the nodes that no filter hides, in pre-order.
  package var revealableKeys: [ModelKey] {
    let reading = reading
    return tree.allNodes.filter(reading.isKept).map(\.key)
  }

  /// Returns the ancestors of a node, root first; nil if the node does not exist.
  package func ancestors(of key: ModelKey) -> [ModelRow]? {
    tree.nodes[key]?.ancestors.map(reading.row)
  }
}
