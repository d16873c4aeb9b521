internal import HTTPServer

// Faults in what a service manager passed.
extension ConfigurationError {
  /// Returns a message about a passed socket that other machines can reach.
  static func advice(remoteSocket place: String) -> String {
    """
    the service manager passes a socket at \(place), which other machines can reach, and there \
    are no keys; give some by keysFile or TREE_SERVER_KEYS, have it listen on 127.0.0.1 or a \
    path, or set allowUnauthenticatedRemote to true where something else guards the way
    """
  }

  /// Returns a message about an invalid address of a service manager.
  static func advice(manager text: String) -> String {
    """
    NOTIFY_SOCKET is "\(text)", which is neither a path nor @ and a name, of at most \
    \(LocalSocket.maxPathBytes) bytes; unset it, or start the program by a service manager
    """
  }
}

extension PassedSockets.Fault {
  /// A message for the operator, with advice.
  var sentence: String {
    switch self {
    case .malformed(let variable, let text):
      """
      \(variable) is "\(text)", which is no number that a service manager gives (of sockets: at \
      most \(PassedSockets.maxCount)); unset it, or start the program by a socket unit
      """
    case .notOpen(let descriptor):
      """
      LISTEN_FDS counts descriptor \(descriptor), which is not open; unset it, or start the \
      program by what passes the sockets
      """
    case .unsupported(let descriptor):
      """
      descriptor \(descriptor) of LISTEN_FDS is no stream socket of TCP or of a path; write \
      ListenStream= in the socket unit, with an address and a port, or a path
      """
    case .notListening(let descriptor):
      """
      descriptor \(descriptor) of LISTEN_FDS does not listen; the socket unit must not have \
      Accept=yes
      """
    }
  }
}
