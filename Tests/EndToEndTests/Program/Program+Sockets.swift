import Glibc

extension Program {
  /// How many sockets it has open; before a client comes, those that it listens at.
  func openSockets() throws -> Int { try openDescriptors().count { $0.hasPrefix("socket:") } }

  /// Waits until so few sockets are open, then counts all descriptors.
  ///
  /// The server learns that a connection was closed a moment after the client closed it.
  func waitForSilence(_ sockets: Int) throws -> Int {
    for _ in 0..<30_000 {
      if try openSockets() == sockets { return try openDescriptors().count }
      usleep(1_000)
    }
    throw WireError("connections stay open: \(try openDescriptors())")
  }
}
