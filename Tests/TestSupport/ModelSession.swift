/// What a client asks of a new session over a private tree.
package struct ModelSessionOptions: Sendable {
  /// Which nodes are expanded unless they were toggled.
  package enum Rule: Sendable, Equatable {
    case all, none
    /// Nodes above this depth.
    case depth(Int)

    func isExpanded(at depth: Int) -> Bool {
      switch self {
      case .all: true
      case .none: false
      case .depth(let limit): depth < limit
      }
    }
  }

  /// The rule to start with.
  package var rule = Rule.all
  /// Nodes opened at once, with all their ancestors.
  package var expandedKeys: [ModelKey] = []
  /// The tree-level sort.
  package var sort: [ModelSort] = []
  /// Whether collapsing also collapses what is inside.
  package var forgetsNestedExpansion = false
  /// The first nodes.
  package var nodes: [ModelNestedNode] = []
  /// The greatest depth a node may have, a limit of the service and no option of the session.
  package var maximumDepth: Int?

  /// The contract's defaults: everything expanded, no nodes.
  package init() {}

  /// The body of the request that makes the session.
  package var json: [UInt8] {
    let expansion =
      switch rule {
      case .all: JSONText.string("all")
      case .none: JSONText.string("none")
      case .depth(let limit): JSONText.number(limit)
      }
    var members = [("expansion", expansion)]
    if !expandedKeys.isEmpty {
      members.append(("expandedKeys", JSONText.array(expandedKeys.map(JSONText.key))))
    }
    if !sort.isEmpty { members.append(("sort", JSONText.array(sort.map(\.json)))) }
    if forgetsNestedExpansion {
      members.append(("nestedExpansion", JSONText.string("forget")))
    }
    members.append(("nodes", JSONText.array(nodes.map(\.json))))
    return JSONText.object(members)
  }
}

/// A naive model of one session over a private tree, written from the contract alone.
///
/// It answers by walking the whole tree and undoes a failed batch by having worked on a copy.
/// Expansion is the rule XOR whether the node was toggled; a leaf is never expanded.
package final class ModelSession {
  /// The tree; replaced as a whole when a batch succeeds.
  var tree: ModelTree
  var rule: ModelSessionOptions.Rule
  let forgetsNestedExpansion: Bool

  /// Makes a session.
  ///
  /// - Throws: ``ModelError`` when the nodes repeat a key or an expanded key is absent.
  package init(_ options: ModelSessionOptions) throws(ModelError) {
    tree = ModelTree(sort: options.sort, maximumDepth: options.maximumDepth)
    rule = options.rule
    forgetsNestedExpansion = options.forgetsNestedExpansion
    do {
      for node in options.nodes { try tree.insert(node, parent: nil, place: .unspecified) }
      for key in options.expandedKeys {
        let node = try tree.node(key)
        for node in node.ancestors + [node] { setExpanded(node, true) }
      }
    } catch {
      throw ModelError(code: error.code, operation: 0)
    }
  }

  private init(copying other: ModelSession) {
    tree = other.tree.copy()
    rule = other.rule
    forgetsNestedExpansion = other.forgetsNestedExpansion
  }

  /// An independent session in the same state.
  package func copy() -> ModelSession {
    ModelSession(copying: self)
  }

  func isExpanded(_ node: ModelNode) -> Bool {
    node.childState != .leaf && rule.isExpanded(at: node.depth) != node.isToggled
  }

  func setExpanded(_ node: ModelNode, _ expanded: Bool) {
    guard node.childState != .leaf else { return }
    node.isToggled = rule.isExpanded(at: node.depth) != expanded
  }
}
