/// A set of permissions that a key may have.
package enum KeyScope: String, CaseIterable, Sendable {
  /// Reading everything, and creating and using sessions with `"access": "view"`.
  case read
  /// Reading `GET /metrics` only.
  case metrics
  /// Everything.
  case admin
}
