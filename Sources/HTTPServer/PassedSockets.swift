/// The listening sockets that a service manager passes to this process (sd_listen_fds(3)).
///
/// The manager holds them, too, so that connections stay pending while the service restarts.
package final class PassedSockets: Sendable {
  /// The address of a passed socket.
  package struct Place: Equatable, Sendable {
    /// The address as a URL, such as `http://127.0.0.1:8080`, or as `unix:` and a path.
    package let text: String
    /// True if only this machine can connect.
    package let isLoopback: Bool
    /// The port; nil for a Unix socket.
    package let port: UInt16?

    /// Creates the address of a socket.
    package init(text: String, isLoopback: Bool, port: UInt16?) {
      self.text = text
      self.isLoopback = isLoopback
      self.port = port
    }
  }

  /// A fault in the passed sockets or variables.
  package enum Fault: Error, Equatable, Sendable {
    /// A variable does not have the form that the protocol requires.
    case malformed(variable: String, text: String)
    /// A descriptor is not open.
    case notOpen(descriptor: Int32)
    /// A descriptor is not a TCP or Unix stream socket.
    case unsupported(descriptor: Int32)
    /// A socket is not listening.
    case notListening(descriptor: Int32)
  }

  /// The maximum number of sockets.
  package static let maxCount = 64
  /// The variables of the protocol.
  static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID"]
  /// The first descriptor of the protocol.
  private static let firstDescriptor: Int32 = 3

  /// The addresses, in the order of the descriptors.
  package let places: [Place]
  let listeners: [Listener]

  /// True if only this machine can connect to any of them.
  package var isLoopback: Bool { places.allSatisfy(\.isLoopback) }
  /// The first port; nil if there are only Unix sockets.
  package var port: UInt16? { places.lazy.compactMap(\.port).first }

  /// Takes ownership of the sockets that the environment names.
  ///
  /// - Parameter environment: All variables as `NAME=value`.
  /// - Returns: The sockets; nil if there are none or they are for another process.
  /// - Throws: ``Fault``.
  package static func take(
    environment: [String]
  ) throws(PassedSockets.Fault) -> PassedSockets? {
    guard let countText = environment.value(of: "LISTEN_FDS") else { return nil }
    guard let processText = environment.value(of: "LISTEN_PID") else { return nil }
    guard let process = Int32(processText), process > 0 else {
      throw .malformed(variable: "LISTEN_PID", text: processText)
    }
    guard process == Syscalls.processNumber() else { return nil }
    guard let count = Int32(countText), 0...Int32(maxCount) ~= count else {
      throw .malformed(variable: "LISTEN_FDS", text: countText)
    }
    guard count > 0 else { return nil }
    return try PassedSockets(descriptors: firstDescriptor..<firstDescriptor + count)
  }

  /// Takes ownership of listening sockets.
  ///
  /// - Precondition: Nothing else in this process owns the descriptors.
  /// - Throws: ``Fault``; the descriptors then stay open.
  init(descriptors: Range<Int32>) throws(PassedSockets.Fault) {
    var places: [Place] = []
    for descriptor in descriptors { places.append(try Self.place(of: descriptor)) }
    self.places = places
    listeners = zip(descriptors, places).map { descriptor, place in
      Syscalls.adopt(descriptor)
      return Listener(
        owning: FileDescriptor(owning: descriptor),
        isLocal: place.port == nil,
        isShared: true,
        isPassed: true
      )
    }
  }

  private static func place(of descriptor: Int32) throws(PassedSockets.Fault) -> Place {
    guard Syscalls.isOpen(descriptor) else { throw .notOpen(descriptor: descriptor) }
    guard Syscalls.isStreamSocket(descriptor), let place = Syscalls.place(of: descriptor) else {
      throw .unsupported(descriptor: descriptor)
    }
    guard Syscalls.isListening(descriptor) else { throw .notListening(descriptor: descriptor) }
    return place
  }
}

extension [String] {
  /// Returns the value of a variable in a list of `NAME=value`; nil if it is not set.
  func value(of variable: String) -> String? {
    let prefix = variable + "="
    return first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }
}
