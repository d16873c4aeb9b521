/// Whether a service can take what is sent to it.
public enum Readiness: Equatable, Sendable {
  /// It can.
  case ready
  /// It cannot take changes, and why.
  case unready(ServiceErrorCode)
}
