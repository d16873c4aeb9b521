/// A listening socket of one event loop.
///
/// It is closed when its loop releases it, so nothing else may hold a reference then.
final class Listener: Sendable {
  let descriptor: FileDescriptor
  /// True for a Unix socket, whose peers have no address.
  let isLocal: Bool
  /// True if other loops accept connections from the same socket.
  let isShared: Bool
  /// True if another process also holds the socket, and serves what is pending when this one stops.
  let isPassed: Bool

  /// Takes ownership of a listening descriptor.
  init(
    owning descriptor: consuming FileDescriptor,
    isLocal: Bool = false,
    isShared: Bool = false,
    isPassed: Bool = false
  ) {
    self.descriptor = descriptor
    self.isLocal = isLocal
    self.isShared = isShared
    self.isPassed = isPassed
  }

  /// Returns another listener of the same socket, for another loop.
  func duplicate() throws(SystemError) -> Listener {
    Listener(
      owning: try Syscalls.duplicate(descriptor.number),
      isLocal: isLocal,
      isShared: true,
      isPassed: isPassed
    )
  }
}
