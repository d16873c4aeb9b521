import Glibc

extension Program {
  /// How many sockets it has open; before a client comes, those that it listens at.
  func openSockets() throws -> Int { try openDescriptors().count(where: Self.isSocket) }

  private static func isSocket(_ descriptor: String) -> Bool { descriptor.hasPrefix("socket:") }

  /// Waits until so few sockets are open, and counts all descriptors of that moment.
  ///
  /// The server learns that a connection was closed a moment after the client closed it; and those
  /// that were given up before they were accepted come and go meanwhile.
  func waitForSilence(_ sockets: Int) throws -> Int {
    for _ in 0..<30_000 {
      let open = try openDescriptors()
      if open.count(where: Self.isSocket) == sockets { return open.count }
      usleep(1_000)
    }
    throw WireError("connections stay open: \(try openDescriptors())")
  }
}
