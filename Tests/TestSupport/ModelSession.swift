/// A naive model of one session, written from the contract alone.
///
/// It answers by walking the whole tree and undoes a failed batch by having worked on a copy.
/// Expansion is the rule XOR whether the node was toggled; a leaf is never expanded. Everything it
/// ever showed is remembered, revision by revision.
package final class ModelSession {
  /// What the session showed at a revision.
  struct Moment {
    var picture: ModelPicture
    /// The moves that led here from the revision before.
    var moves: ModelMoves
    /// True if the session's own request led here.
    var isOwn: Bool
  }

  /// The tree and the sessions over it.
  package let shared: ModelSharedTree
  private(set) var view: ModelView
  /// By revision.
  private var history: [Moment] = []

  var tree: ModelTree { shared.tree }

  /// Makes a session over a private tree.
  ///
  /// - Throws: ``ModelError`` when the nodes repeat a key or an expanded key is absent.
  package convenience init(_ options: ModelSessionOptions) throws(ModelError) {
    try self.init(options, over: try ModelSharedTree(options))
  }

  /// Makes a session over a tree.
  ///
  /// - Throws: ``ModelError`` when an expanded key is absent.
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

  private init(copying other: ModelSession) {
    shared = ModelSharedTree(copying: other.tree, revision: other.shared.revision)
    view = other.view
    history = other.history
    shared.add(self)
  }

  /// An independent session in the same state, alone over a copy of the tree.
  package func copy() -> ModelSession {
    ModelSession(copying: self)
  }

  // MARK: - Changing

  /// Applies all operations or none.
  ///
  /// - Throws: ``ModelError`` with the first operation that is refused; nothing has changed then.
  @discardableResult
  package func apply(_ operations: [ModelOperation]) throws(ModelError) -> ModelOutcome {
    if view.isViewOnly { try checkAccess(operations) }
    return try shared.apply(operations, of: self).outcome
  }

  /// Refuses a batch that changes data, unless it does not read as a batch at all.
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

  /// Has this view from the beginning.
  func begin(with view: ModelView) {
    self.view = view
    history = [Moment(picture: picture, moves: ModelMoves(), isOwn: true)]
  }

  /// Takes on what a batch, its own or another's, made of its view.
  func become(_ view: ModelView, moves: ModelMoves, isOwn: Bool, spends: Bool) {
    var moves = moves
    // Among the rows that a filter leaves, the fewest may be fewer than among all siblings.
    // The same is true of siblings that stand in another order.
    moves.isFewest =
      moves.isFewest && view.filter == nil && self.view.filter == nil && view.viewSort.isEmpty
    self.view = view
    if spends { history.append(Moment(picture: picture, moves: moves, isOwn: isOwn)) }
  }

  // MARK: - Reading

  /// True if it may change no data.
  var isViewOnly: Bool { view.isViewOnly }

  /// Counts the batches that changed the tree or this view.
  package var revision: Int { history.count - 1 }

  /// What the session showed at a revision.
  package func picture(at revision: Int) -> ModelPicture {
    history[revision].picture
  }

  /// The moves that led to a revision from the one before.
  func moves(to revision: Int) -> ModelMoves {
    history[revision].moves
  }

  /// The moves that led from a revision to now.
  package func moves(since revision: Int) -> ModelMoves {
    let passed = history[(revision + 1)...].map(\.moves)
    // One revision is told as the answer told it.
    return passed.count == 1 ? passed[0] : passed.reduce(ModelMoves()) { $0.followed(by: $1) }
  }

  /// Returns the origin of the changes between two revisions: `own`, `other` or `mixed`.
  package func origin(since revision: Int, to last: Int? = nil) -> String {
    let moments = history[(revision + 1)..<((last ?? self.revision) + 1)]
    if moments.allSatisfy(\.isOwn) { return "own" }
    return moments.contains(where: \.isOwn) ? "mixed" : "other"
  }

  /// The rows and sections that the session shows.
  package var picture: ModelPicture { reading.picture }

  var reading: ModelReading { ModelReading(tree: tree, view: view) }

  /// The number of nodes, visible or not.
  package var nodeCount: Int { tree.nodes.count }

  /// The number of selected nodes, visible or not.
  package var selectedCount: Int { view.selected.count }

  /// The keys of all nodes, in pre-order.
  package var keys: [ModelKey] { tree.allNodes.map(\.key) }

  /// Every visible row, in order.
  package var rows: [ModelRow] { reading.rows }

  /// The sections that are shown.
  package var sections: [ModelSectionRow] { reading.sections }

  /// A node as the session sees it; `nil` when there is none of that key.
  package func row(of key: ModelKey) -> ModelRow? {
    tree.nodes[key].map(reading.row)
  }

  /// The children of a node, or the roots, whether they are visible or not.
  ///
  /// `nil` when there is no such node or section.
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

  /// The path from the root to a node's parent; `nil` when there is no such node.
  package func ancestors(of key: ModelKey) -> [ModelRow]? {
    tree.nodes[key]?.ancestors.map(reading.row)
  }
}
