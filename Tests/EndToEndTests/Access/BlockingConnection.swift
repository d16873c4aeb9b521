import Glibc

/// A blocking connection to a server on this machine.
///
/// Reads and writes time out, by default after five minutes, so that a test fails rather than
/// hangs.
final class BlockingConnection {
  private let descriptor: Int32
  private var parser = AnswerParser()

  /// Connects to a port.
  ///
  /// - Parameters:
  ///   - port: The port.
  ///   - receiveBytes: The size of the kernel's receive buffer in bytes; nil for its default.
  ///   - patienceSeconds: The timeout of reads and writes in seconds.
  init(port: UInt16, receiveBytes: Int32? = nil, patienceSeconds: Int = 300) throws {
    descriptor = try Self.open(AF_INET, patienceSeconds)
    if var bytes = receiveBytes {
      let size = socklen_t(MemoryLayout<Int32>.size)
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, size)
    }
    // Disables Nagle's algorithm: data that is sent in parts arrives in parts.
    var isPrompt: Int32 = 1
    let flagSize = socklen_t(MemoryLayout<Int32>.size)
    unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isPrompt, flagSize)
    guard connect(to: port) == 0 else { throw WireError("connect: errno \(errno)") }
  }

  /// Connects to a Unix socket.
  init(path: String) throws {
    descriptor = try Self.open(AF_UNIX)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe Glibc.connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw WireError("connect: errno \(errno)") }
  }

  private static func open(_ family: Int32, _ patienceSeconds: Int = 300) throws -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { throw WireError("socket: errno \(errno)") }
    var patience = timeval(tv_sec: patienceSeconds, tv_usec: 0)
    let patienceSize = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, patienceSize)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, patienceSize)
    return descriptor
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Makes the end of this object reset the connection (RST) instead of closing it.
  func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout<linger>.size)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
  }

  /// Waits up to a minute for a reset by the peer, without reading.
  func waitForReset() {
    var interest = pollfd(fd: descriptor, events: 0, revents: 0)
    _ = unsafe Glibc.poll(&interest, 1, 60_000)
  }

  /// True if data can be read, or the connection has ended.
  var hasNews: Bool {
    var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe Glibc.poll(&interest, 1, 0) > 0
  }

  private func connect(to port: UInt16) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe Glibc.connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Sends all bytes.
  func send(_ bytes: some Collection<UInt8>) throws {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw WireError("send: errno \(errno)") }
      rest = rest.dropFirst(count)
    }
  }

  /// Receives the answer to the oldest request without one.
  ///
  /// - Parameters:
  ///   - toHead: True if that request was HEAD.
  ///   - interim: True if an interim answer, such as 100, is returned too.
  func receive(toHead: Bool = false, orInterim interim: Bool = false) throws -> Answer {
    while true {
      while let answer = try parser.next(toHead: toHead) {
        if answer.status >= 200 || interim { return answer }
      }
      guard try receiveMore() else { throw WireError("the connection ended without an answer") }
    }
  }

  /// Waits until the server ends the connection; false if it sends something instead.
  func waitForEnd() throws -> Bool {
    guard parser.isEmpty else { return false }
    return try !receiveMore()
  }

  /// Receives the head of an answer. ``receivePiece()`` then reads its content.
  func receiveHead() throws -> Answer {
    while true {
      if let head = try parser.nextHead() { return head }
      guard try receiveMore() else { throw WireError("the connection ended without an answer") }
    }
  }

  /// Receives a piece of the content as it was sent; empty at the end of the connection.
  func receivePiece() throws -> [UInt8] {
    if parser.isEmpty { _ = try receiveMore() }
    return parser.popBytes()
  }

  /// Receives some bytes; false at the end of the connection.
  private func receiveMore() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
    }
    guard count >= 0 else { throw WireError("recv: errno \(errno)") }
    parser.append(buffer[..<count])
    return count > 0
  }
}
