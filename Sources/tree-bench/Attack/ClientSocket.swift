import Glibc

/// A client's connection to a port of this machine; a failure is a result and no error.
///
/// Calls block up to a timeout.
final class ClientSocket {
  private let descriptor: Int32

  /// Connects; nil if the connection is refused.
  ///
  /// - Parameters:
  ///   - port: The port.
  ///   - timeout: The maximum time that a call blocks, in seconds.
  ///   - receiveBytes: The size of the kernel's receive buffer; nil for its default.
  init?(port: UInt16, timeout: Int = 150, receiveBytes: Int32? = nil) {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_INET, type, 0)
    guard descriptor >= 0 else { return nil }
    var isPrompt: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isPrompt, size)
    if var receiveBytes {
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, size)
    }
    var limit = timeval(tv_sec: timeout, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      let size = socklen_t(MemoryLayout<timeval>.size)
      unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, size)
    }
    let result = unsafe LoopbackSocket.withAddress(port: port) {
      unsafe Glibc.connect(descriptor, $0, $1)
    }
    guard result == 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Sends all bytes; returns false if the connection does not accept them.
  func send(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
        let count = unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  /// Receives bytes into a buffer, at most its size.
  ///
  /// - Returns: The number of bytes; 0 at the end of the connection and after the timeout.
  func receive(into buffer: inout [UInt8]) -> Int {
    max(
      0,
      unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
      }
    )
  }

  /// True if the peer has closed the connection, even if received bytes are unread.
  var isEndedByPeer: Bool {
    // The flag POLLRDHUP of poll(2), which is not imported.
    var event = pollfd(fd: descriptor, events: 0x2000, revents: 0)
    return unsafe poll(&event, 1, 0) > 0
  }
}
