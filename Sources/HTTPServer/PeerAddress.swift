/// The address a connection comes from, as the bytes of the network: 4 of IPv4, 16 of IPv6.
struct PeerAddress: Hashable, Sendable {
  let bytes: [UInt8]

  /// An address; one of IPv4 mapped into IPv6 (RFC 4291, 2.5.5.2) is taken as IPv4.
  init(_ bytes: [UInt8]) {
    let isMapped = bytes.count == 16 && bytes.prefix(12).elementsEqual(Self.mappedPrefix)
    self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
  }

  private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

  /// Whether it is this machine's own (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3).
  var isLoopback: Bool {
    if bytes.count == 4 { return bytes[0] == 127 }
    return bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
  }

  /// What is given to one customer as a whole: an address of IPv4, 64 bits of one of IPv6
  /// (RFC 6177).
  var network: PeerAddress { bytes.count == 4 ? self : PeerAddress(Array(bytes.prefix(8))) }
}
