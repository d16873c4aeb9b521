import Glibc

// System calls for the sockets of a service manager.
extension Syscalls {
  /// Returns the id of this process.
  static func processNumber() -> Int32 { getpid() }

  /// Removes a variable of the environment.
  ///
  /// - Precondition: No other thread has been started.
  static func removeVariable(_ name: String) { _ = unsafe unsetenv(name) }

  /// Returns true if a descriptor is open.
  static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

  /// Returns true if a descriptor is a stream socket.
  static func isStreamSocket(_ descriptor: Int32) -> Bool {
    option(descriptor, SO_TYPE) == Int32(SOCK_STREAM.rawValue)
  }

  /// Returns true if a socket listens.
  static func isListening(_ descriptor: Int32) -> Bool { option(descriptor, SO_ACCEPTCONN) == 1 }

  private static func option(_ descriptor: Int32, _ name: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let result = unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size)
    return result == 0 ? value : nil
  }

  /// Makes an inherited socket non-blocking and close-on-exec.
  static func adopt(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  /// Returns the address of a TCP or Unix socket; nil for any other.
  static func place(of descriptor: Int32) -> PassedSockets.Place? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      guard let address = bytes.baseAddress,
        unsafe getsockname(descriptor, address.assumingMemoryBound(to: sockaddr.self), &length) == 0
      else { return nil }
      let family = Int32(unsafe address.load(as: sa_family_t.self))
      return place(family, unsafe Array(bytes[..<Int(length)]))
    }
  }

  /// Returns the place of a raw address: family, port and address, or family and path.
  private static func place(_ family: Int32, _ bytes: [UInt8]) -> PassedSockets.Place? {
    guard family != AF_UNIX else {
      let path = bytes.dropFirst(2)
      // An abstract name begins with a NUL; a path ends with one.
      let isAbstract = path.first == 0
      let name = isAbstract ? path.dropFirst() : path.prefix { $0 != 0 }
      let text = "unix:\(isAbstract ? "@" : "")\(String(decoding: name, as: UTF8.self))"
      return PassedSockets.Place(text: text, isLoopback: true, port: nil)
    }
    guard family == AF_INET || family == AF_INET6, bytes.count >= (family == AF_INET ? 8 : 24)
    else { return nil }
    let address = PeerAddress(Array(family == AF_INET ? bytes[4..<8] : bytes[8..<24]))
    let port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    let host = family == AF_INET ? text(of: address) : "[\(text(of: address))]"
    let place = "http://\(host):\(port)"
    return PassedSockets.Place(text: place, isLoopback: address.isLoopback, port: port)
  }

  /// Opens a socket for sending datagrams to Unix sockets.
  static func openDatagrams() throws(SystemError) -> FileDescriptor {
    let flags = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    return FileDescriptor(owning: try checked("socket") { socket(AF_UNIX, flags, 0) })
  }

  /// Sends a datagram.
  ///
  /// - Throws: EAGAIN if the receiver has no room for it.
  static func send(
    _ message: [UInt8],
    to address: SocketAddress,
    from descriptor: Int32
  ) throws(SystemError) {
    _ = try checked("sendto") {
      let count = unsafe message.withUnsafeBytes { bytes in
        unsafe address.withSocketAddress { peer, length in
          let flags = Int32(MSG_NOSIGNAL)
          return unsafe sendto(descriptor, bytes.baseAddress, bytes.count, flags, peer, length)
        }
      }
      return Int32(clamping: count)
    }
  }
}
