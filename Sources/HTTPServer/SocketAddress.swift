import Glibc

/// A numeric IPv4 or IPv6 address and a port, or the path of a Unix socket.
package struct SocketAddress: Sendable {
  private enum Storage: Sendable {
    case ipv4(sockaddr_in)
    case ipv6(sockaddr_in6)
    /// A Unix socket, with the length of the address in bytes.
    case local(sockaddr_un, Int)
  }

  private let storage: Storage

  /// Parses an address; nil if the host is not numeric.
  ///
  /// `localhost` is 127.0.0.1.
  package init?(host: String, port: UInt16) {
    let numeric = host == "localhost" ? "127.0.0.1" : host
    var ipv4 = sockaddr_in()
    var ipv6 = sockaddr_in6()
    if unsafe inet_pton(AF_INET, numeric, &ipv4.sin_addr) == 1 {
      ipv4.sin_family = sa_family_t(AF_INET)
      ipv4.sin_port = port.bigEndian
      storage = .ipv4(ipv4)
    } else if unsafe inet_pton(AF_INET6, numeric, &ipv6.sin6_addr) == 1 {
      ipv6.sin6_family = sa_family_t(AF_INET6)
      ipv6.sin6_port = port.bigEndian
      storage = .ipv6(ipv6)
    } else {
      return nil
    }
  }

  /// Creates the address of a Unix socket.
  init(_ socket: LocalSocket) {
    // A path ends with a NUL.
    self.init(local: Array(socket.path.utf8) + [0])
  }

  /// Creates the address of a Unix socket from the bytes of `sun_path`.
  ///
  /// They are a path followed by NUL, or a NUL followed by an abstract name.
  ///
  /// - Precondition: They fit into `sun_path`.
  init(local path: [UInt8]) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      unsafe room.copyBytes(from: path)
    }
    storage = .local(address, MemoryLayout<sa_family_t>.size + path.count)
  }

  /// The address family for `socket`.
  var family: Int32 {
    switch storage {
    case .ipv4: AF_INET
    case .ipv6: AF_INET6
    case .local: AF_UNIX
    }
  }

  /// True if only this machine can connect to the address.
  package var isLoopback: Bool {
    switch storage {
    case .ipv4(let address):
      PeerAddress(unsafe withUnsafeBytes(of: address.sin_addr) { unsafe Array($0) }).isLoopback
    case .ipv6(let address):
      PeerAddress(unsafe withUnsafeBytes(of: address.sin6_addr) { unsafe Array($0) }).isLoopback
    case .local: true
    }
  }

  /// Calls a closure with a pointer to the address, for C functions.
  @unsafe func withSocketAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    switch storage {
    case .ipv4(var address): unsafe Self.rebind(&address, body)
    case .ipv6(var address): unsafe Self.rebind(&address, body)
    case .local(var address, let count): unsafe Self.rebind(&address, count: count, body)
    }
  }

  @unsafe private static func rebind<Address, Result>(
    _ address: inout Address,
    count: Int = MemoryLayout<Address>.size,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe body(generic, socklen_t(count))
      }
    }
  }
}

/// The IP address of a peer in network byte order: 4 bytes for IPv4, 16 for IPv6.
struct PeerAddress: Hashable, Sendable {
  let bytes: [UInt8]

  /// Creates an address.
  ///
  /// An IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) becomes IPv4.
  init(_ bytes: [UInt8]) {
    let isMapped = bytes.count == 16 && bytes.prefix(12).elementsEqual(Self.mappedPrefix)
    self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
  }

  private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

  /// True if the address is a loopback address (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3).
  var isLoopback: Bool {
    if bytes.count == 4 { return bytes[0] == 127 }
    return bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
  }

  /// The network that is assigned to one customer: an IPv4 address, or 64 bits of IPv6 (RFC 6177).
  var network: PeerAddress { bytes.count == 4 ? self : PeerAddress(Array(bytes.prefix(8))) }
}
