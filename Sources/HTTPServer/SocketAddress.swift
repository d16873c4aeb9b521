import Glibc

/// A numeric IPv4 or IPv6 address and a port, or the path of a Unix socket.
public struct SocketAddress: Sendable {
  private enum Storage: Sendable {
    case ipv4(sockaddr_in)
    case ipv6(sockaddr_in6)
    case local(sockaddr_un)
  }

  private let storage: Storage

  /// Parses an address; nil if the host is neither numeric nor `localhost`, which is 127.0.0.1.
  public init?(host: String, port: UInt16) {
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

  /// The address of a Unix socket.
  init(_ socket: LocalSocket) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
      unsafe path.copyBytes(from: socket.path.utf8)
    }
    storage = .local(address)
  }

  /// The address family, as `socket` wants it.
  var family: Int32 {
    switch storage {
    case .ipv4: AF_INET
    case .ipv6: AF_INET6
    case .local: AF_UNIX
    }
  }

  /// Whether only this machine can connect to it.
  public var isLoopback: Bool {
    switch storage {
    case .ipv4(let address):
      PeerAddress(unsafe withUnsafeBytes(of: address.sin_addr) { unsafe Array($0) }).isLoopback
    case .ipv6(let address):
      PeerAddress(unsafe withUnsafeBytes(of: address.sin6_addr) { unsafe Array($0) }).isLoopback
    case .local: true
    }
  }

  /// Calls with the address in the form of the C calls.
  @unsafe func withSocketAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    switch storage {
    case .ipv4(var address): unsafe Self.rebind(&address, body)
    case .ipv6(var address): unsafe Self.rebind(&address, body)
    case .local(var address): unsafe Self.rebind(&address, body)
    }
  }

  @unsafe private static func rebind<Address, Result>(
    _ address: inout Address,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe body(generic, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}
