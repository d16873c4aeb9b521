/// The permission that a request needs.
enum Permission: Sendable {
  /// Reading the metrics.
  case metrics
  /// Reading and following trees and sessions.
  case read
  /// Creating a session with `"access": "view"`.
  case openSession
  /// Changing the state of one session's view, or deleting it.
  case view
  /// Changing data, or creating a session that can.
  case change
}

extension KeyScope {
  /// Returns true if a key with this scope has a permission.
  ///
  /// - Parameter permission: The permission. ``Permission/view`` is granted only for sessions with
  ///   `"access": "view"`.
  /// - Returns: True if the scope includes it.
  func grants(_ permission: Permission) -> Bool {
    switch self {
    case .admin: true
    case .read: permission != .change
    case .metrics: permission == .metrics
    }
  }
}
