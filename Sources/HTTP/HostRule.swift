/// Which hosts a request may name.
///
/// A service that asks for no credentials and answers to any name can be used by a web page whose
/// own name an attacker points at the service's address (DNS rebinding): the browser that shows the
/// page is where the service can be reached. A 421 to names that others may point anywhere prevents
/// it.
public struct HostRule: Sendable {
  /// What is let in whether it is listed or not.
  private enum Unlisted { case any, addresses, loopback }

  private let unlisted: Unlisted
  private let names: [[UInt8]]

  /// Any well-formed host is accepted.
  public static let any = HostRule(.any, names: [])

  /// Only `localhost`, 127.0.0.0/8, `[::1]` and the names given are accepted, with any port.
  ///
  /// - Parameter names: Further host names, without port.
  /// - Returns: The rule.
  public static func loopback(and names: [String] = []) -> HostRule {
    HostRule(.loopback, names: names)
  }

  /// Only `localhost`, IP addresses and the names given are accepted, with any port.
  ///
  /// - Parameter names: Further host names, without port.
  /// - Returns: The rule.
  public static func addresses(and names: [String] = []) -> HostRule {
    HostRule(.addresses, names: names)
  }

  /// Whether a text can be the name of a host, without a port; a pattern with `*` is none.
  public static func isName(_ text: String) -> Bool {
    let bytes = Array(text.utf8)[...]
    return !bytes.isEmpty && isWellFormed(bytes) && name(of: bytes).count == bytes.count
      && !bytes.contains(UInt8(ascii: "*"))
  }

  private init(_ unlisted: Unlisted, names: [String]) {
    self.unlisted = unlisted
    self.names = names.map { Array($0.utf8) }
  }

  /// Whether a request for this well-formed host is for this server.
  ///
  /// An empty host names nobody and is let in.
  func allows(_ host: ArraySlice<UInt8>) -> Bool {
    if case .any = unlisted { return true }
    let name = Self.name(of: host)
    return name.isEmpty || Self.equal(name, Self.localhost) || isUnlistedAddress(name)
      || names.contains { Self.equal(name, $0) }
  }

  /// Whether a name is an address that need not be listed.
  private func isUnlistedAddress(_ name: ArraySlice<UInt8>) -> Bool {
    if name.first == UInt8(ascii: "[") {
      return unlisted == .addresses || name.elementsEqual(Self.loopbackIPv6)
    }
    // What nearly all who are asked for an address say.
    if Self.equal(name, Self.loopbackIPv4) { return true }
    guard let address = Self.ipv4(name) else { return false }
    return unlisted == .addresses || address >> 24 == 127
  }

  /// Whether these bytes are `uri-host [ ":" port ]` (RFC 9110, 7.2; RFC 3986, 3.2.2).
  ///
  /// Empty is legal. A comma, which a registered name could contain, is refused: it is what two
  /// `Host` lines become when something on the way joins them.
  static func isWellFormed(_ host: ArraySlice<UInt8>) -> Bool {
    let name = name(of: host)
    let rest = host[name.endIndex...]
    guard rest.isEmpty || rest.dropFirst().allSatisfy(\.isDigit) else { return false }
    if name.first == UInt8(ascii: "[") { return isLiteral(name) }
    var index = name.startIndex
    while index < name.endIndex {
      if name[index] == UInt8(ascii: "%") {
        guard index + 2 < name.endIndex, name[index + 1].hexadecimalValue != nil,
          name[index + 2].hexadecimalValue != nil
        else { return false }
        index += 3
      } else {
        guard isNameCharacter(name[index]) else { return false }
        index += 1
      }
    }
    return rest.isEmpty || !name.isEmpty
  }

  /// The host without its port.
  static func name(of host: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if host.first == UInt8(ascii: "["), let end = host.firstIndex(of: UInt8(ascii: "]")) {
      let afterBracket = end + 1
      let isEnd = afterBracket == host.endIndex || host[afterBracket] == UInt8(ascii: ":")
      return isEnd ? host[...end] : host
    }
    let end = TextScan.first(UInt8(ascii: ":"), in: host.span, from: 0, to: host.count)
    return host[..<(host.startIndex + end)]
  }

  /// `unreserved` or `sub-delims` without the comma (RFC 3986, 2.2 and 2.3).
  static func isNameCharacter(_ byte: UInt8) -> Bool {
    // Of what is no letter and no digit: a bit for each of "!$&'()*+-.;=", and two of 64...127.
    let marks: UInt64 = 0x2800_6FD2_0000_0000
    return byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
      || (byte < 64 && marks >> UInt64(byte) & 1 == 1)
  }

  private static let localhost = Array("localhost".utf8)
  private static let loopbackIPv4 = Array("127.0.0.1".utf8)
  private static let loopbackIPv6 = Array("[::1]".utf8)

  /// Whether a name is another one, the case of letters aside.
  private static func equal(_ name: ArraySlice<UInt8>, _ other: [UInt8]) -> Bool {
    name.count == other.count && equalIgnoringCase(name.span, other.span)
  }
}
