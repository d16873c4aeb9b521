/// The state of a node's children.
public enum ChildState: String, Sendable, Codable {
  /// There are none.
  case leaf
  /// There are or may be some, and nobody supplied them yet.
  case unloaded
  /// Somebody is about to supply them.
  case loading
  /// They could not be supplied.
  case failed
  /// They are there.
  case loaded
}
