import TestSupport

/// A model of a tree: its nodes in pre-order, with parents and objects.
struct KeyedForest: Equatable, CustomStringConvertible {
  struct Node: Equatable {
    let key: ModelKey
    var parent: ModelKey?
    var object: String
  }

  private(set) var nodes: [Node] = []

  /// Creates the forest of an export.
  init(exported lines: [UInt8]) throws {
    nodes = try lines.split(separator: UInt8(ascii: "\n")).map { line in
      let line = try RawJSON(parsing: Array(line))
      guard let key = line["key"]?.key else { throw WireError("a line has no key") }
      let object = line["object"]?.text ?? "null"
      return Node(key: key, parent: line["parent"]?.key, object: object)
    }
  }

  var description: String {
    nodes.map { "\($0.parent?.description ?? "-")/\($0.key)=\($0.object)" }.joined(separator: "\n")
  }

  func contains(_ key: ModelKey) -> Bool { nodes.contains { $0.key == key } }

  /// Appends a new root.
  mutating func appendRoot(_ key: ModelKey, _ object: String) {
    nodes.append(Node(key: key, parent: nil, object: object))
  }

  /// Appends a new child to a node.
  mutating func insertLast(_ key: ModelKey, under parent: ModelKey, _ object: String) {
    nodes.insert(Node(key: key, parent: parent, object: object), at: end(of: parent))
  }

  /// Moves a node to the end of the children of another node.
  mutating func moveLast(_ key: ModelKey, under parent: ModelKey) {
    var subtree = removeSubtree(key)
    subtree[0].parent = parent
    nodes.insert(contentsOf: subtree, at: end(of: parent))
  }

  mutating func replaceObject(of key: ModelKey, by object: String) {
    for index in nodes.indices where nodes[index].key == key { nodes[index].object = object }
  }

  /// Moves a node to the front of the roots.
  mutating func moveFirst(_ key: ModelKey) {
    var subtree = removeSubtree(key)
    subtree[0].parent = nil
    nodes = subtree + nodes
  }

  /// Replaces all children of a node with one new child.
  mutating func replaceChildren(of key: ModelKey, by child: ModelKey) {
    for node in nodes where node.parent == key { _ = removeSubtree(node.key) }
    guard let place = nodes.firstIndex(where: { $0.key == key }) else { return }
    nodes.insert(Node(key: child, parent: key, object: "null"), at: place + 1)
  }

  mutating func remove(_ key: ModelKey) { _ = removeSubtree(key) }

  private mutating func removeSubtree(_ key: ModelKey) -> [Node] {
    guard let start = nodes.firstIndex(where: { $0.key == key }) else { return [] }
    let range = start..<end(of: key)
    defer { nodes.removeSubrange(range) }
    return Array(nodes[range])
  }

  /// Returns the index behind the last node of a subtree.
  private func end(of key: ModelKey) -> Int {
    guard let start = nodes.firstIndex(where: { $0.key == key }) else { return nodes.count }
    var members: Set = [key]
    return nodes[(start + 1)...].firstIndex { node in
      guard let parent = node.parent, members.contains(parent) else { return true }
      members.insert(node.key)
      return false
    } ?? nodes.count
  }
}
