import CLinux
import Glibc

extension Syscalls {
  /// The result of accepting a connection.
  enum Acceptance: ~Copyable {
    case connection(FileDescriptor)
    /// No connection is pending.
    case none
    /// A connection was pending and is gone, or accepting it failed; the next attempt may succeed.
    case failed
    /// The process or the system has no descriptor left.
    case outOfDescriptors
  }

  /// The maximum number of unsent bytes that the system buffers for a connection
  /// (TCP_NOTSENT_LOWAT, tcp(7)).
  ///
  /// Without it the system would buffer megabytes, which no limit of this program counts.
  static let maxUnsentBytes: Int32 = 64 * 1024

  /// Opens a socket bound to an address, non-blocking and close-on-exec.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - sharesPort: True if other sockets of this user may be bound to the port (SO_REUSEPORT).
  /// - Returns: The socket.
  /// - Throws: The error of a system call; EADDRINUSE if another socket has the port.
  static func bind(
    to address: SocketAddress,
    sharesPort: Bool
  ) throws(SystemError) -> FileDescriptor {
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = FileDescriptor(
      owning: try checked("socket") { socket(address.family, flags, 0) }
    )
    let number = descriptor.number
    try setOption(number, SOL_SOCKET, SO_REUSEADDR)
    if sharesPort { try sharePort(number) }
    _ = try checked("bind") {
      unsafe address.withSocketAddress { unsafe Glibc.bind(number, $0, $1) }
    }
    return descriptor
  }

  /// Allows other sockets of this user to share the port of a socket (SO_REUSEPORT).
  static func sharePort(_ descriptor: Int32) throws(SystemError) {
    try setOption(descriptor, SOL_SOCKET, SO_REUSEPORT)
  }

  /// Sets the options that accepted connections inherit from their listener.
  ///
  /// Small responses are sent at once. The system buffers little for a slow peer, and drops it
  /// after a time.
  ///
  /// - Parameters:
  ///   - descriptor: A TCP socket.
  ///   - silenceMilliseconds: The time that sent data may stay unacknowledged, or the peer's
  ///     receive window closed, before the connection is broken (TCP_USER_TIMEOUT, tcp(7)). A peer
  ///     that vanished shows no other sign. 0 for the system's default.
  /// - Throws: The error of a system call.
  static func prepareListener(
    _ descriptor: Int32,
    silenceMilliseconds: Int
  ) throws(SystemError) {
    try setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
    try setOption(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, to: maxUnsentBytes)
    let silence = Int32(clamping: silenceMilliseconds)
    try setOption(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, to: silence)
  }

  /// Starts a connection to a TCP address, non-blocking and close-on-exec.
  ///
  /// The socket becomes writable when the connection is established or has failed; see
  /// ``error(of:)``. It has the options of accepted connections.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - silenceMilliseconds: The time after which a vanished peer is noticed, 1000 or more. While
  ///     nothing is sent, it is noticed by probes (SO_KEEPALIVE, tcp(7)).
  /// - Returns: The socket.
  /// - Throws: The error of a system call.
  static func connect(
    to address: SocketAddress,
    silenceMilliseconds: Int
  ) throws(SystemError) -> FileDescriptor {
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = FileDescriptor(
      owning: try checked("socket") { socket(address.family, flags, 0) }
    )
    let number = descriptor.number
    try prepareListener(number, silenceMilliseconds: silenceMilliseconds)
    try setOption(number, SOL_SOCKET, SO_KEEPALIVE)
    let seconds = Int32(clamping: max(silenceMilliseconds / 1_000, 1))
    try setOption(number, Int32(IPPROTO_TCP), TCP_KEEPIDLE, to: seconds)
    try setOption(number, Int32(IPPROTO_TCP), TCP_KEEPINTVL, to: max(seconds / 4, 1))
    let (result, code) = retrying {
      unsafe address.withSocketAddress { unsafe Glibc.connect(number, $0, $1) }
    }
    guard result == 0 || code == EINPROGRESS || code == EALREADY else {
      throw SystemError(call: "connect", code: code)
    }
    return descriptor
  }

  /// Returns and clears the pending error of a socket; 0 for none.
  static func error(of descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
    precondition(result == 0, "the error of no socket")
    return code
  }

  /// Listens on a bound socket.
  ///
  /// - Throws: EADDRINUSE if another socket has started to listen on its port since it was bound.
  static func listen(_ descriptor: Int32, acceptBacklog: Int) throws(SystemError) {
    _ = try checked("listen") { Glibc.listen(descriptor, Int32(clamping: acceptBacklog)) }
  }

  private static func setOption(
    _ descriptor: Int32,
    _ level: Int32,
    _ option: Int32,
    to value: Int32 = 1
  ) throws(SystemError) {
    _ = try checked("setsockopt") {
      var value = value
      let size = socklen_t(MemoryLayout<Int32>.size)
      return unsafe setsockopt(descriptor, level, option, &value, size)
    }
  }

  /// Returns the port that a socket is bound to.
  static func port(of descriptor: Int32) throws(SystemError) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    _ = try checked("getsockname") {
      unsafe withUnsafeMutableBytes(of: &storage) { bytes in
        guard let address = bytes.baseAddress else { return -1 }
        return unsafe getsockname(
          descriptor,
          address.assumingMemoryBound(to: sockaddr.self),
          &length
        )
      }
    }
    // The port is at the same offset in IPv4 and IPv6 addresses.
    return unsafe withUnsafeBytes(of: storage) { bytes in
      UInt16(bigEndian: unsafe bytes.load(fromByteOffset: 2, as: UInt16.self))
    }
  }

  /// Returns the address of the peer; nil if it is already gone.
  static func peer(of descriptor: Int32) -> PeerAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      guard let address = bytes.baseAddress,
        unsafe getpeername(descriptor, address.assumingMemoryBound(to: sockaddr.self), &length) == 0
      else { return nil }
      let isIPv4 = Int32(unsafe address.load(as: sa_family_t.self)) == AF_INET
      // The address follows family and port, and in IPv6 the flow label, too.
      return unsafe PeerAddress(Array(isIPv4 ? bytes[4..<8] : bytes[8..<24]))
    }
  }

  /// Returns the text of an address.
  static func text(of address: PeerAddress) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = address.bytes.count == 4 ? AF_INET : AF_INET6
    let isWritten = unsafe address.bytes.withUnsafeBytes { bytes in
      unsafe inet_ntop(family, bytes.baseAddress, &text, socklen_t(text.count)) != nil
    }
    guard isWritten else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Accepts a connection as non-blocking and close-on-exec, with the options of its listener.
  static func accept(_ listener: Int32) -> Acceptance {
    let (number, code) = retrying { clinux_accept(listener) }
    if number >= 0 { return .connection(FileDescriptor(owning: number)) }
    switch code {
    case EAGAIN: return .none
    case EMFILE, ENFILE: return .outOfDescriptors
    case EBADF, EINVAL, ENOTSOCK, EFAULT: preconditionFailure("accept on no listener")
    default: return .failed
    }
  }

  /// Reads the available input, as much as fits into the buffer.
  static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) -> Transfer {
    let (count, code) = unsafe buffer.withUnsafeMutableBytes { bytes in
      retrying { unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0) }
    }
    return transfer(count, code)
  }

  /// Sends bytes and then more bytes, as many as the socket accepts.
  ///
  /// No SIGPIPE is raised if the peer is gone.
  static func send(
    _ descriptor: Int32,
    _ bytes: ArraySlice<UInt8>,
    andThen more: [UInt8]
  ) -> Transfer {
    let (count, code) = unsafe bytes.withUnsafeBytes { bytes in
      if more.isEmpty {
        return retrying {
          unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
      }
      return unsafe more.withUnsafeBytes { unsafe send(descriptor, bytes, andThen: $0) }
    }
    return transfer(count, code)
  }

  /// Sends two pieces with one call.
  private static func send(
    _ descriptor: Int32,
    _ bytes: UnsafeRawBufferPointer,
    andThen more: UnsafeRawBufferPointer
  ) -> (result: Int, code: Int32) {
    unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { pieces in
      unsafe pieces.initializeElement(at: 0, to: piece(bytes))
      unsafe pieces.initializeElement(at: 1, to: piece(more))
      var message = unsafe msghdr()
      unsafe message.msg_iov = pieces.baseAddress
      unsafe message.msg_iovlen = pieces.count
      return retrying { unsafe sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL)) }
    }
  }

  private static func piece(_ bytes: UnsafeRawBufferPointer) -> iovec {
    let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    return unsafe iovec(iov_base: start, iov_len: bytes.count)
  }

  private static func transfer(_ count: Int, _ code: Int32) -> Transfer {
    if count >= 0 { return .bytes(count) }
    if code == EAGAIN { return .wouldBlock }
    precondition(code != EBADF && code != ENOTSOCK && code != EFAULT, "transfer on no socket")
    return .failed
  }

  /// Shuts down the sending side.
  ///
  /// Failure is ignored, because the peer may be gone.
  static func shutdownWrite(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Makes closing discard unsent data and reset the connection.
  static func resetOnClose(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = unsafe setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_LINGER,
      &option,
      socklen_t(MemoryLayout<linger>.size)
    )
  }
}
