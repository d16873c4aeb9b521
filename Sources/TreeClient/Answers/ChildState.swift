/// The state of a node's children.
public enum ChildState: String, Sendable, Codable {
  /// The node has no children.
  case leaf
  /// Children exist or may exist, and are not supplied yet.
  case unloaded
  /// A client is supplying the children.
  case loading
  /// The children could not be supplied.
  case failed
  /// The children are in the tree.
  case loaded
}
