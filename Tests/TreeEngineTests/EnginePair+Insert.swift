import Testing

@testable import TreeEngine

extension EnginePair {
  typealias Given = (key: String, depth: Int, state: ChildState)

  /// Inserts nodes given in pre-order with depths: one subtree or several consecutive ones.
  mutating func insert(
    _ list: [Given],
    object: String,
    under parent: NaiveTree.Node,
    at index: Int
  ) throws(TreeError) {
    let (nodes, bytes) = encoded(list, object: object)
    try tree.insert(nodes[...], bytes: bytes, under: id(parent), at: index)
    insertNaively(list, object: object, under: parent, at: index)
  }

  /// Inserts the same in two steps: makes the nodes in random order, then links them.
  mutating func insert(
    _ list: [Given],
    madeInOrder order: [Int],
    object: String,
    under parent: NaiveTree.Node,
    at index: Int
  ) throws(TreeError) {
    let (nodes, bytes) = encoded(list, object: object)
    let made = try tree.make(order.map { nodes[$0] }[...], bytes: bytes)
    var run = nodes.map { (node: NodeID.forestRoot, depth: Int32($0.depth)) }
    for (place, node) in zip(order, made) { run[place].node = node }
    try tree.link(run, under: id(parent), at: index, counting: { _ in })
    insertNaively(list, object: object, under: parent, at: index)
  }

  private func encoded(_ list: [Given], object: String) -> (nodes: [NewNode], bytes: [UInt8]) {
    var bytes: [UInt8] = []
    let nodes = list.map { key, depth, state in
      let start = bytes.count
      bytes += Array(key.utf8)
      let middle = bytes.count
      bytes += Array(object.utf8)
      return NewNode(
        key: start..<middle,
        object: middle..<bytes.count,
        depth: depth,
        childState: state
      )
    }
    return (nodes, bytes)
  }

  private func insertNaively(
    _ list: [Given],
    object: String,
    under parent: NaiveTree.Node,
    at index: Int
  ) {
    var path: [NaiveTree.Node] = []
    var roots: [NaiveTree.Node] = []
    for (key, depth, state) in list {
      let node = naive.makeNode(key: key, object: object, state: state)
      path.removeLast(path.count - depth)
      if let parent = path.last {
        parent.children.append(node)
        parent.state = .loaded
        node.parent = parent
      } else {
        roots.append(node)
      }
      path.append(node)
    }
    for (offset, root) in roots.enumerated() { naive.link(root, under: parent, at: index + offset) }
  }
}
