/// A new session.
public struct NewSession: Sendable, Hashable, Encodable {
  /// The changes that a session allows.
  public enum Access: String, Sendable, Codable {
    /// Changes of the data and of the view.
    case write
    /// Changes of the view only.
    case view
  }

  private var tree: String?
  private var sections: [String]?
  private var nodes: [NewNode]?
  private let options: SessionOptions
  private let expandedKeys: [String]?
  private let access: Access?
  private let state: JSONValue?

  private init(
    _ options: SessionOptions,
    expandedKeys: [String]?,
    access: Access?,
    state: JSONValue?
  ) {
    self.options = options
    self.expandedKeys = expandedKeys
    self.access = access
    self.state = state
  }

  /// Creates a description of a session on a shared tree.
  ///
  /// - Parameters:
  ///   - tree: The id of the tree.
  ///   - options: The options. Those that are nil are taken from `state`.
  ///   - expandedKeys: Nodes that are expanded at once, with their ancestors.
  ///   - access: The changes that the session allows.
  ///   - state: The view of another session, from ``TreeSession/getState(_:)``.
  public init(
    tree: String,
    _ options: SessionOptions = SessionOptions(),
    expandedKeys: [String]? = nil,
    access: Access? = nil,
    state: JSONValue? = nil
  ) {
    self.init(options, expandedKeys: expandedKeys, access: access, state: state)
    self.tree = tree
  }

  /// Creates a description of a session with a private tree, which ends with the session.
  ///
  /// - Parameters:
  ///   - nodes: The roots, with what is below them.
  ///   - sections: The names of the sections; a single nameless one if nil.
  ///   - options: The options.
  ///   - expandedKeys: Nodes that are expanded at once, with their ancestors.
  ///   - access: The changes that the session allows.
  ///   - state: The view of another session, from ``TreeSession/getState(_:)``.
  public init(
    nodes: [NewNode],
    sections: [String]? = nil,
    _ options: SessionOptions = SessionOptions(),
    expandedKeys: [String]? = nil,
    access: Access? = nil,
    state: JSONValue? = nil
  ) {
    self.init(options, expandedKeys: expandedKeys, access: access, state: state)
    self.nodes = nodes
    self.sections = sections
  }

  private enum CodingKeys: String, CodingKey {
    case tree, sections, nodes, expandedKeys, access, state
  }

  /// Encodes the session for a request.
  public func encode(to encoder: any Encoder) throws {
    try options.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encodeIfPresent(tree, forKey: .tree)
    try members.encodeIfPresent(sections, forKey: .sections)
    try members.encodeIfPresent(nodes, forKey: .nodes)
    try members.encodeIfPresent(expandedKeys, forKey: .expandedKeys)
    try members.encodeIfPresent(access, forKey: .access)
    try members.encodeIfPresent(state, forKey: .state)
  }
}

/// A new tree that sessions can share.
public struct NewTree: Sendable, Hashable, Encodable {
  /// The id; if nil, the service creates one.
  public var tree: String?
  /// The order of siblings; nil to keep the given order.
  public var sort: [TreeSortDescriptor]?
  /// The names of its sections; a single nameless one if nil.
  public var sections: [String]?
  /// The roots, with what is below them.
  public var nodes: [NewNode]?

  /// Creates a description of a tree.
  public init(
    _ tree: String? = nil,
    sort: [TreeSortDescriptor]? = nil,
    sections: [String]? = nil,
    nodes: [NewNode]? = nil
  ) {
    self.tree = tree
    self.sort = sort
    self.sections = sections
    self.nodes = nodes
  }
}
