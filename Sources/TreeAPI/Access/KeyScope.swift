/// A part of the service that a key opens.
public enum KeyScope: String, CaseIterable, Sendable {
  /// Everything that is read, and sessions with `"access": "view"`.
  case read
  /// `GET /metrics` alone.
  case metrics
  /// Everything.
  case admin
}
