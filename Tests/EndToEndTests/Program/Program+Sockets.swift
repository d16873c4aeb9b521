import Glibc

extension Program {
  /// Returns the number of open sockets. Without clients, these are the listening sockets.
  func openSockets() throws -> Int { try openDescriptors().count(where: Self.isSocket) }

  private static func isSocket(_ descriptor: String) -> Bool { descriptor.hasPrefix("socket:") }

  /// Waits until exactly `sockets` sockets are open, and returns the number of all descriptors
  /// then.
  ///
  /// The server notices the end of a connection with a delay. Connections that were abandoned
  /// before they were accepted come and go meanwhile.
  func waitForSockets(_ sockets: Int) throws -> Int {
    for _ in 0..<30_000 {
      let open = try openDescriptors()
      if open.count(where: Self.isSocket) == sockets { return open.count }
      usleep(1_000)
    }
    throw WireError("connections stay open: \(try openDescriptors())")
  }
}
