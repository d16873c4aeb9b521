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
