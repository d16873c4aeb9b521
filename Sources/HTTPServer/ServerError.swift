/// Why a server cannot be started.
public enum ServerError: Error, Equatable, Sendable {
  /// The host is neither a numeric address nor `localhost`.
  case invalidHost(String)
  /// Somebody listens on this port already.
  case portInUse(UInt16)
  /// Somebody listens on the Unix socket of this path already.
  case socketInUse(String)
  /// Another process keeps the lock beside the Unix socket of this path.
  case socketLocked(String)
  /// What lies at this path is no Unix socket, and is left alone.
  case notASocket(String)
  /// The system refused the Unix socket of this path.
  case socket(path: String, SystemError)
  /// With as many descriptors as the system allows, so many loops have no connection each.
  case tooFewDescriptors(allowed: Int, loops: Int)
  /// The system refused something else.
  case system(SystemError)
}
