import TreeEngine

/// A tree and its views done in the obvious way, for the engine to be compared with: node objects
/// with arrays of children, rows found by walking everything.
final class NaiveTree {
  final class Node {
    let serial: Int
    let key: String
    var object: String
    var state: ChildState
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
  }

  /// All that a row shows, and which node it is.
  struct Line: Equatable, CustomStringConvertible {
    var serial: Int
    var key: String
    var depth: Int
    var parent: String?
    var object: String
    var expanded: Bool
    var state: ChildState
    var childCount: Int?
    var description: String {
      "\(String(repeating: " ", count: depth))\(expanded ? "-" : "+")\(key)#\(serial)"
    }
  }

  let root = Node(serial: 0, key: "", object: "", state: .loaded)
  var byKey: [String: Node] = [:]
  var views: [View]
  private var nextSerial = 1

  init(views: [View]) { self.views = views }

  var nodes: [Node] { Array(root.subtree.dropFirst()) }

  func makeNode(key: String, object: String, state: ChildState) -> Node {
    defer { nextSerial += 1 }
    return Node(serial: nextSerial, key: key, object: object, state: state)
  }

  func link(_ node: Node, under parent: Node, at index: Int) {
    parent.children.insert(node, at: index)
    parent.state = .loaded
    node.parent = parent
    for node in node.subtree { byKey[node.key] = node }
  }

  func unlink(_ node: Node) {
    node.parent?.children.remove(at: node.position)
    node.parent = nil
    for node in node.subtree { byKey[node.key] = nil }
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

  /// The rows below a node, as if it were one itself.
  func rows(below node: Node, in view: Int) -> [Node] {
    guard isExpanded(node, in: view) else { return [] }
    return node.children.flatMap { [$0] + rows(below: $0, in: view) }
  }

  func lines(in view: Int) -> [Line] {
    rows(below: root, in: view).map { line($0, in: view) }
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
      childCount: node.state == .leaf || node.state == .loaded ? node.children.count : nil
    )
  }

  /// Everything, to tell whether anything changed.
  var snapshot: [String] {
    nodes.map { "\($0.depth) \($0.serial) \($0.object) \($0.state)" }
      + views.indices.map { view in
        "\(views[view].rule) "
          + nodes.filter { views[view].toggled.contains($0.serial) }.map(\.key).joined(
            separator: " "
          )
      }
  }
}

extension NaiveTree {
  /// All that can change, to be put back after a rollback.
  struct State {
    var links: [(node: Node, children: [Node], object: String, state: ChildState)]
    var views: [View]
  }

  func copyState() -> State {
    State(
      links: root.subtree.map { ($0, $0.children, $0.object, $0.state) },
      views: views
    )
  }

  func restore(_ state: State) {
    byKey = [:]
    for (node, children, object, childState) in state.links {
      node.children = children
      node.object = object
      node.state = childState
      for child in children {
        child.parent = node
        byKey[child.key] = child
      }
    }
    views = state.views
  }
}
