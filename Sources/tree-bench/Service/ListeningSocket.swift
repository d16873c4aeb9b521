import CLinux
import Glibc

/// A listening socket on a free port of the loopback interface, and its connections.
struct ListeningSocket: ~Copyable {
  let descriptor: Int32
  let port: UInt16

  /// Listens.
  init() {
    let port = LoopbackSocket.freePort()
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var isPrompt: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isPrompt, size)
    let result = unsafe LoopbackSocket.withAddress(port: port) { unsafe bind(descriptor, $0, $1) }
    precondition(result == 0 && listen(descriptor, 512) == 0, "there is no port: \(errno)")
    (self.descriptor, self.port) = (descriptor, port)
  }

  deinit { close(descriptor) }

  /// Accepts a pending connection, and makes it non-blocking.
  func accept() -> Int32 {
    let connection = clinux_accept(descriptor)
    precondition(connection >= 0, "nobody is there: \(errno)")
    return connection
  }

  /// Reads what arrived on a connection as one request; returns false if the connection has ended.
  func takeRequest(from connection: Int32) -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { room in
      unsafe recv(connection, room.baseAddress, room.count, 0) > 0
    }
  }

  /// Sends bytes over a connection, which must have room for them.
  func send(_ bytes: [UInt8], to connection: Int32) {
    unsafe bytes.withUnsafeBytes { bytes in
      _ = unsafe Glibc.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }
}
