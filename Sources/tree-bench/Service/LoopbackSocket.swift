import Glibc

/// A client's connection to a port of this machine, with blocking calls.
///
/// Any failure ends the benchmark, because there would be no figure.
struct LoopbackSocket: ~Copyable {
  private let descriptor: Int32

  /// Connects.
  init(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    precondition(descriptor >= 0, "there is no socket: \(errno)")
    var isPrompt: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isPrompt, size)
    precondition(Self.connect(descriptor, port) == 0, "nobody listens at \(port): \(errno)")
  }

  deinit { close(descriptor) }

  /// Reports received bytes as an event with a number.
  func report(to events: SocketEvents, as number: Int) {
    events.add(descriptor, as: number)
  }

  /// Returns a free port.
  static func freePort() -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(descriptor, generic, size)
        unsafe getsockname(descriptor, generic, &size)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func connect(_ descriptor: Int32, _ port: UInt16) -> Int32 {
    unsafe withAddress(port: port) { unsafe Glibc.connect(descriptor, $0, $1) }
  }

  /// Calls a function with the address of a port of this machine, as the C functions expect it.
  @unsafe static func withAddress<Result>(
    port: UInt16,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = loopback(port: port)
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe body(generic, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Sends all bytes.
  func send(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
        let count = unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        precondition(count > 0, "the service takes no more: \(errno)")
        sent += count
      }
    }
  }

  /// Receives at least one byte into a buffer from an offset on; returns the number of bytes.
  func receive(into buffer: inout [UInt8], at start: Int) -> Int {
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      return unsafe recv(descriptor, rest.baseAddress, rest.count, 0)
    }
    precondition(count > 0, "the service ended the connection: \(errno)")
    return count
  }
}
