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

  /// How many children to show of a node that has so many: as long as none were supplied, the hint.
  func shownCount(_ count: Int32, hint: @autoclosure () -> Int32?) -> Int32? {
    switch self {
    case .leaf, .loaded: count
    case .unloaded, .loading, .failed: count > 0 ? count : hint()
    }
  }
}
