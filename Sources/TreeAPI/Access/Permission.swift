/// The right that a request needs.
enum Permission: Sendable {
  /// Reads figures of the service.
  case metrics
  /// Reads trees and sessions, and follows them.
  case read
  /// Makes a session with `"access": "view"`.
  case openSession
  /// Changes what one session shows, or ends it.
  case view
  /// Changes data, or makes a session that can.
  case change
}

extension KeyScope {
  /// True if a key with this scope has a right at each place where the right means something.
  ///
  /// - Parameter permission: The right; ``Permission/view`` is for sessions with
  ///   `"access": "view"`.
  /// - Returns: True if the scope has it.
  func grants(_ permission: Permission) -> Bool {
    switch self {
    case .admin: true
    case .read: permission != .change
    case .metrics: permission == .metrics
    }
  }
}
