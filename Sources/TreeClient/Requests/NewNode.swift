/// A node to be made, with everything below it.
public struct NewNode: Sendable, Hashable, Encodable {
  /// The children of a node to be made.
  public enum Children: Sendable, Hashable {
    /// No children: the node is a leaf.
    case leaf
    /// These ones, in their order.
    case nodes([NewNode])
    /// Ones that exist or may exist, and are supplied later. With the number, if it is known.
    case unloaded(count: Int? = nil)
  }

  /// The key, 1 to 512 bytes, of which there is one in the tree.
  public var key: String
  /// The object that the node carries; null if nil.
  public var object: JSONValue?
  /// The children, with everything below them.
  public var children: Children
  /// The section of a root; the first one if nil.
  public var section: String?

  /// Describes a node.
  public init(
    _ key: String,
    object: JSONValue? = nil,
    children: Children = .leaf,
    section: String? = nil
  ) {
    self.key = key
    self.object = object
    self.children = children
    self.section = section
  }

  /// Describes a node with children.
  public init(_ key: String, object: JSONValue? = nil, _ children: [NewNode]) {
    self.init(key, object: object, children: .nodes(children))
  }

  /// The members of the node, as a request has them.
  var members: [String: JSONValue] {
    var members: [String: JSONValue] = ["key": .string(key)]
    members["object"] = object
    members["section"] = section.map(JSONValue.string)
    switch children {
    case .leaf: break
    case .nodes(let nodes): members["children"] = .array(nodes.map { .object($0.members) })
    case .unloaded(let count):
      members["children"] = "unloaded"
      members["childCount"] = count.map(JSONValue.integer)
    }
    return members
  }

  /// Writes the node as requests have it.
  public func encode(to encoder: any Encoder) throws {
    try JSONValue.object(members).encode(to: encoder)
  }
}

extension NewNode: ExpressibleByStringLiteral {
  /// Describes a leaf without an object.
  public init(stringLiteral value: String) { self.init(value) }
}
