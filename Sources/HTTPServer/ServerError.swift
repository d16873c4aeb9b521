/// Why a server cannot be started.
public enum ServerError: Error, Equatable, Sendable {
  /// The host is neither a numeric address nor `localhost`.
  case invalidHost(String)
  /// Somebody listens on this port already.
  case portInUse(UInt16)
  /// The system refused something else.
  case system(SystemError)
}
