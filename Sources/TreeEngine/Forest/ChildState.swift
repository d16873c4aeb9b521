/// What is known about a node's children.
public enum ChildState: UInt8, Sendable {
  /// It can have none, so it cannot be expanded.
  case leaf
  /// It may have some; nobody supplied them yet.
  case unloaded
  /// They are being fetched.
  case loading
  /// Fetching them failed.
  case failed
  /// They are all here, possibly none.
  case loaded
}
