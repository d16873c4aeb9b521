/// The state of a node's children.
public enum ChildState: UInt8, Sendable {
  /// The node cannot have children and cannot be expanded.
  case leaf
  /// The node may have children. None were supplied yet.
  case unloaded
  /// The children are being fetched.
  case loading
  /// The fetch of the children failed.
  case failed
  /// All children are known. There may be none.
  case loaded

  /// Returns the number of children to show, or the hint as long as none were supplied.
  func shownCount(_ count: Int32, hint: @autoclosure () -> Int32?) -> Int32? {
    switch self {
    case .leaf, .loaded: count
    case .unloaded, .loading, .failed: count > 0 ? count : hint()
    }
  }
}
