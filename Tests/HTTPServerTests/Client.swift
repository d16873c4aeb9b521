import Glibc

@testable import HTTPServer

/// A blocking connection to a server on this machine, for tests.
///
/// Every wait ends after a few seconds, so that a test fails rather than hangs.
final class Client {
  let descriptor: Int32
  private var isClosed = false

  /// Returns true if a socket listens on a port.
  static func isListening(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return connect(descriptor, loopback(1, port: port)) == 0
  }

  /// Waits until no socket listens on a port; returns false after some seconds.
  ///
  /// The wait is by time and not by tries, because a loop may have to wait for a processor.
  static func waitUntilRefused(_ port: UInt16) -> Bool {
    let end = ContinuousClock.now + .seconds(10)
    while isListening(port) {
      guard ContinuousClock.now < end else { return false }
      usleep(1_000)
    }
    return true
  }

  private static func loopback(_ number: UInt8, port: UInt16) -> SocketAddress {
    guard let address = SocketAddress(host: "127.0.0.\(number)", port: port) else {
      preconditionFailure("this is an address")
    }
    return address
  }

  private static func connect(_ descriptor: Int32, _ address: SocketAddress) -> Int32 {
    unsafe address.withSocketAddress { unsafe Glibc.connect(descriptor, $0, $1) }
  }

  /// Connects from 127.0.0.1, or from another loopback address that ends in a number.
  init(port: UInt16, from number: UInt8 = 1, receiveBufferBytes: Int32? = nil) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    precondition(descriptor >= 0, "socket: \(errno)")
    if number != 1 {
      let result = unsafe Self.loopback(number, port: 0).withSocketAddress {
        unsafe bind(descriptor, $0, $1)
      }
      precondition(result == 0, "bind: \(errno)")
    }
    bePatient()
    if var receiveBufferBytes {
      unsafe setsockopt(
        descriptor,
        SOL_SOCKET,
        SO_RCVBUF,
        &receiveBufferBytes,
        socklen_t(MemoryLayout<Int32>.size)
      )
    }
    let result = Self.connect(descriptor, Self.loopback(1, port: port))
    precondition(result == 0, "connect: \(errno)")
  }

  /// Connects to a Unix socket.
  init(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    precondition(descriptor >= 0, "socket: \(errno)")
    bePatient()
    guard let local = LocalSocket(path: path, mode: 0) else {
      preconditionFailure("this is a path")
    }
    let result = Self.connect(descriptor, SocketAddress(local))
    precondition(result == 0, "connect: \(errno)")
  }

  private func bePatient() {
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
  }

  deinit { if !isClosed { close(descriptor) } }

  /// Sends all bytes; returns false if the peer does not accept them.
  @discardableResult func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends a byte out of band; returns false if the system refuses it.
  func sendUrgently(_ byte: UInt8) -> Bool {
    var byte = byte
    return unsafe Glibc.send(descriptor, &byte, 1, Int32(MSG_OOB)) == 1
  }

  /// Sends text together with a descriptor by a Unix socket; returns false on failure.
  func send(_ text: String, with attached: Int32) -> Bool {
    var bytes = Array(text.utf8)
    // A header of 16 bytes (length, level, type), then the descriptor (cmsg(3)).
    let kind = UInt64(SOL_SOCKET) | UInt64(SCM_RIGHTS) << 32
    var control: [UInt64] = [20, kind, UInt64(attached)]
    let count = bytes.count
    return unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe control.withUnsafeMutableBytes { control in
        var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: count)
        return unsafe withUnsafeMutablePointer(to: &part) { part in
          var message = unsafe msghdr()
          unsafe message.msg_iov = part
          unsafe message.msg_iovlen = 1
          unsafe message.msg_control = control.baseAddress
          unsafe message.msg_controllen = control.count
          return unsafe sendmsg(descriptor, &message, 0) == count
        }
      }
    }
  }

  /// Shuts down the sending side.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Resets the connection.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout<linger>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
    close(descriptor)
    isClosed = true
  }

  /// The end of a read.
  enum Ending: Equatable {
    case open
    case closed
    case reset
    case silent
  }

  /// Reads until the received bytes satisfy a condition, or nothing more arrives.
  func read(until isEnough: ([UInt8]) -> Bool) -> (text: String, ending: Ending) {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var ending = Ending.open
    while ending == .open, !isEnough(received) {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
      }
      if count > 0 {
        received += buffer[..<count]
      } else {
        ending = count == 0 ? .closed : errno == EAGAIN ? .silent : .reset
      }
    }
    return (String(decoding: received, as: UTF8.self), ending)
  }

  /// Returns what has arrived, or arrives in some milliseconds.
  func poll(milliseconds: Int32) -> String {
    var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe Glibc.poll(&interest, 1, milliseconds) > 0 else { return "" }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
    }
    return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
  }

  /// Waits without reading until the peer resets the connection; returns false if it does not.
  func waitForReset() -> Bool {
    var interest = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe Glibc.poll(&interest, 1, 5_000) > 0
      && Int32(interest.revents) & (POLLERR | POLLHUP) != 0
  }

  /// Reads to the end of the connection.
  func readToEnd() -> (text: String, ending: Ending) { read { _ in false } }

  /// Reads a response that ends in a text.
  func read(endingIn end: String) -> String {
    let end = Array(end.utf8)
    return read { $0.suffix(end.count).elementsEqual(end) }.text
  }

  /// Sends a request and reads a response that ends in a text.
  func exchange(_ request: String, endingIn end: String) -> String {
    send(request)
    return read(endingIn: end)
  }
}

extension String {
  /// The statuses of the responses in the text, interim ones included.
  var statuses: [Int] {
    split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) }
  }
}
