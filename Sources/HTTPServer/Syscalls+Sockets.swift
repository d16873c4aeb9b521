import CLinux
import Glibc

extension Syscalls {
  /// The result of accepting a connection.
  enum Acceptance: ~Copyable {
    case connection(FileDescriptor)
    /// None is waiting.
    case none
    /// One was waiting and is gone, or cannot be had now; the next may be.
    case failed
    /// The process or the system has no descriptor left.
    case outOfDescriptors
  }

  /// How many bytes of answers the system takes for a connection that cannot be sent yet
  /// (TCP_NOTSENT_LOWAT, tcp(7)).
  ///
  /// By itself it would take megabytes, which no limit of ours counts.
  static let maxUnsentBytes: Int32 = 64 * 1024

  /// Opens a socket that is bound to an address, not blocking and not inherited.
  ///
  /// - Parameters:
  ///   - address: Where it is to listen.
  ///   - sharesPort: True if other sockets of this user may listen there as well (SO_REUSEPORT).
  /// - Returns: The socket.
  /// - Throws: What the system refuses; EADDRINUSE if somebody else listens there.
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

  /// Allows other sockets of this user to listen on the port of a socket (SO_REUSEPORT).
  static func sharePort(_ descriptor: Int32) throws(SystemError) {
    try setOption(descriptor, SOL_SOCKET, SO_REUSEPORT)
  }

  /// Sets what accepted connections have from their listener: small answers are sent at once, and
  /// the system keeps little of what a peer does not take, and none of it for ever.
  ///
  /// - Parameters:
  ///   - descriptor: A TCP socket.
  ///   - silenceMilliseconds: For how long a peer may leave unacknowledged what it was sent, or be
  ///     sent nothing more, before the connection is broken (TCP_USER_TIMEOUT, tcp(7)). A peer that
  ///     is gone without a word says no more than that. 0: as long as the system does.
  /// - Throws: What the system refuses.
  static func prepareListener(
    _ descriptor: Int32,
    silenceMilliseconds: Int
  ) throws(SystemError) {
    try setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
    try setOption(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, to: maxUnsentBytes)
    let silence = Int32(clamping: silenceMilliseconds)
    try setOption(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, to: silence)
  }

  /// Listens on a bound socket.
  ///
  /// - Throws: EADDRINUSE if somebody else began to listen on its port since it was bound.
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

  /// The port a socket is bound to.
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
    // The port lies at the same place in an IPv4 and an IPv6 address.
    return unsafe withUnsafeBytes(of: storage) { bytes in
      UInt16(bigEndian: unsafe bytes.load(fromByteOffset: 2, as: UInt16.self))
    }
  }

  /// The address of the peer; nil if it is gone already.
  static func peer(of descriptor: Int32) -> PeerAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      guard let address = bytes.baseAddress,
        unsafe getpeername(descriptor, address.assumingMemoryBound(to: sockaddr.self), &length) == 0
      else { return nil }
      let isIPv4 = Int32(unsafe address.load(as: sa_family_t.self)) == AF_INET
      // The address lies behind family and port, and in IPv6 behind the flow label, too.
      return unsafe PeerAddress(Array(isIPv4 ? bytes[4..<8] : bytes[8..<24]))
    }
  }

  /// An address as it is written.
  static func text(of address: PeerAddress) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = address.bytes.count == 4 ? AF_INET : AF_INET6
    let isWritten = unsafe address.bytes.withUnsafeBytes { bytes in
      unsafe inet_ntop(family, bytes.baseAddress, &text, socklen_t(text.count)) != nil
    }
    guard isWritten else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Accepts a connection: not blocking, not inherited, with the options of its listener.
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

  /// Reads what has arrived, as much as fits.
  static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) -> Transfer {
    let (count, code) = unsafe buffer.withUnsafeMutableBytes { bytes in
      retrying { unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0) }
    }
    return transfer(count, code)
  }

  /// Sends as much as the socket takes of bytes and of more bytes behind them.
  ///
  /// A peer that is gone causes no SIGPIPE.
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

  /// Tells the peer that nothing more will be sent.
  ///
  /// That it is gone already does not matter.
  static func shutdownWrite(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Has closing drop what is unsent and reset the connection.
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
