import TreeEngine

/// A simple implementation of a tree and its views, with which the engine is compared.
///
/// It has node objects with arrays of children, and finds rows by a walk over everything.
final class NaiveTree {
  final class Node {
    let serial: Int
    let key: String
    var object: String
    var state: ChildState
    var hint: Int?
    var children: [Node] = []
    weak var parent: Node?

    init(serial: Int, key: String, object: String, state: ChildState) {
      self.serial = serial
      self.key = key
      self.object = object
      self.state = state
    }

    var position: Int { parent?.children.firstIndex { $0 === self } ?? 0 }
    var depth: Int { (parent?.depth ?? -2) + 1 }
    var subtree: [Node] { [self] + children.flatMap(\.subtree) }
    func isAtOrBelow(_ other: Node) -> Bool {
      self === other || (parent?.isAtOrBelow(other) ?? false)
    }
  }

  struct View {
    var rule: ExpansionRule
    var toggled: Set<Int> = []
    var selected: Set<Int> = []
    var layer = Layer()
  }

  /// The content of a row, with the serial of its node.
  struct Line: Equatable, CustomStringConvertible {
    var serial: Int
    var key: String
    var depth: Int
    var parent: String?
    var object: String
    var expanded: Bool
    var state: ChildState
    var childCount: Int?
    var selected: Bool
    var matched: Bool?
    var description: String {
      "\(String(repeating: " ", count: depth))\(expanded ? "-" : "+")\(key)#\(serial)"
    }
  }

  let root = Node(serial: 0, key: "", object: "", state: .loaded)
  var byKey: [String: Node] = [:]
  var views: [View]
  /// The serials of nodes that operations moved or reordered since the set was cleared.
  var moved: Set<Int> = []
  /// The serials of nodes whose objects were replaced since the set was cleared.
  var updated: Set<Int> = []
  private var nextSerial = 1

  init(views: [View]) { self.views = views }

  /// Returns an independent tree of equal nodes and views, with the same serials.
  func copy() -> NaiveTree {
    let copy = NaiveTree(views: views)
    copy.moved = moved
    copy.nextSerial = nextSerial
    copy.root.children = root.children.map { copy.adopt($0, under: copy.root) }
    return copy
  }

  private func adopt(_ other: Node, under parent: Node) -> Node {
    let node = Node(
      serial: other.serial,
      key: other.key,
      object: other.object,
      state: other.state
    )
    node.hint = other.hint
    node.parent = parent
    node.children = other.children.map { adopt($0, under: node) }
    byKey[node.key] = node
    return node
  }

  var nodes: [Node] { Array(root.subtree.dropFirst()) }

  func makeNode(key: String, object: String, state: ChildState) -> Node {
    defer { nextSerial += 1 }
    return Node(serial: nextSerial, key: key, object: object, state: state)
  }

  func link(_ node: Node, under parent: Node, at index: Int) {
    parent.children.insert(node, at: index)
    parent.state = .loaded
    parent.hint = nil
    node.parent = parent
    for node in node.subtree { byKey[node.key] = node }
  }

  func unlink(_ node: Node) {
    node.parent?.children.remove(at: node.position)
    node.parent = nil
    for node in node.subtree { byKey[node.key] = nil }
  }

  /// Removes a node for good, so that it is no longer selected.
  func remove(_ node: Node) {
    unlink(node)
    let serials = node.subtree.map(\.serial)
    for view in views.indices { views[view].selected.subtract(serials) }
  }

  func setState(_ state: ChildState, hint: Int?, of node: Node) {
    node.state = state
    node.hint = hint
    guard state == .leaf else { return }
    for view in views.indices {
      views[view].toggled.remove(node.serial)
      views[view].layer.aside?.toggled.remove(node.serial)
    }
  }

  func isExpanded(_ node: Node, in view: Int) -> Bool {
    if node === root { return true }
    if node.state == .leaf { return false }
    let byRule =
      switch views[view].rule {
      case .all: true
      case .levels(let levels): node.depth < levels
      }
    return byRule != views[view].toggled.contains(node.serial)
  }

  func setExpanded(_ expanded: Bool, _ node: Node, in view: Int) {
    guard node.state != .leaf, isExpanded(node, in: view) != expanded else { return }
    views[view].toggled.formSymmetricDifference([node.serial])
  }

  /// Returns the visible descendants of a node in pre-order, as if it were a row itself.
  func rows(below node: Node, in view: Int) -> [Node] {
    guard isExpanded(node, in: view) else { return [] }
    return children(of: node, in: view).filter { isLetThrough($0, in: view) }
      .flatMap { [$0] + rows(below: $0, in: view) }
  }

  func lines(in view: Int) -> [Line] {
    rows(in: view).map { line($0, in: view) }
  }

  func line(_ node: Node, in view: Int) -> Line {
    Line(
      serial: node.serial,
      key: node.key,
      depth: node.depth,
      parent: node.parent === root ? nil : node.parent?.key,
      object: node.object,
      expanded: isExpanded(node, in: view),
      state: node.state,
      childCount: childCount(of: node),
      selected: views[view].selected.contains(node.serial),
      matched: isMatched(node, in: view)
    )
  }

  private func childCount(of node: Node) -> Int? {
    let isKnown = node.state == .leaf || node.state == .loaded || !node.children.isEmpty
    return isKnown ? node.children.count : node.hint
  }

  /// The whole state, for comparison.
  var snapshot: [String] {
    nodes.map { "\($0.depth) \($0.serial) \($0.object) \($0.state) \($0.hint ?? -1)" }
      + views.indices.map { view in
        "\(views[view].rule) \(views[view].layer.summary)"
          + nodes.filter { views[view].toggled.contains($0.serial) }.map { " \($0.key)" }.joined()
          + nodes.filter { views[view].selected.contains($0.serial) }.map { " *\($0.key)" }.joined()
      }
  }
}

extension NaiveTree {
  /// The state to restore after a rollback.
  struct State {
    var links: [(node: Node, children: [Node], object: String, state: ChildState, hint: Int?)]
    var views: [View]
  }

  func copyState() -> State {
    State(
      links: root.subtree.map { ($0, $0.children, $0.object, $0.state, $0.hint) },
      views: views
    )
  }

  func restore(_ state: State) {
    byKey = [:]
    for (node, children, object, childState, hint) in state.links {
      node.children = children
      node.object = object
      node.state = childState
      node.hint = hint
      for child in children {
        child.parent = node
        byKey[child.key] = child
      }
    }
    views = state.views
  }
}
