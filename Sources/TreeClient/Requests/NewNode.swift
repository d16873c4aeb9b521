/// A new node, with everything below it.
public struct NewNode: Sendable, Hashable, Encodable {
  /// The children of a new node.
  public enum Children: Sendable, Hashable {
    /// No children: the node is a leaf.
    case leaf
    /// The given nodes, in this order.
    case nodes([NewNode])
    /// Children that exist or may exist and are supplied later, with their number if it is known.
    case unloaded(count: Int? = nil)
  }

  /// The key, 1 to 512 bytes long and unique in the tree.
  public var key: String
  /// The object that the node carries; null if nil.
  public var object: JSONValue?
  /// The children, with everything below them.
  public var children: Children
  /// The section of a root; the first one if nil.
  public var section: String?

  /// Creates a description of a node.
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

  /// Creates a description of a node with children.
  public init(_ key: String, object: JSONValue? = nil, _ children: [NewNode]) {
    self.init(key, object: object, children: .nodes(children))
  }

  /// The members of the node in a request.
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

  /// Encodes the node for a request.
  public func encode(to encoder: any Encoder) throws {
    try JSONValue.object(members).encode(to: encoder)
  }
}

extension NewNode: ExpressibleByStringLiteral {
  /// Creates a description of a leaf without an object.
  public init(stringLiteral value: String) { self.init(value) }
}
