/// The hosts that a request may name.
///
/// It protects a service without credentials against DNS rebinding. An attacker may let a name of
/// a web page point to the service's address, which the browser can reach. Requests for names that
/// others control are therefore refused with 421.
package struct HostRule: Sendable {
  /// The hosts that are allowed without being listed.
  private enum Unlisted { case any, addresses, loopback }

  private let unlisted: Unlisted
  private let names: [[UInt8]]
  /// Returns true if the sender of some fields has checked the host already.
  private var isExempt: (@Sendable (Fields) -> Bool)?

  /// A rule that allows any well-formed host.
  package static let any = HostRule(.any, names: [])

  /// Returns a rule that allows `localhost`, 127.0.0.0/8, `[::1]` and some names, with any port.
  ///
  /// - Parameter names: The further host names, without port.
  /// - Returns: The rule.
  package static func loopback(and names: [String] = []) -> HostRule {
    HostRule(.loopback, names: names)
  }

  /// Returns a rule that allows `localhost`, IP addresses and some names, with any port.
  ///
  /// - Parameter names: The further host names, without port.
  /// - Returns: The rule.
  package static func addresses(and names: [String] = []) -> HostRule {
    HostRule(.addresses, names: names)
  }

  /// Returns true if a text is a valid host without a port.
  ///
  /// A pattern with `*` is not.
  package static func isName(_ text: String) -> Bool {
    let bytes = Array(text.utf8)[...]
    return !bytes.isEmpty && isWellFormed(bytes) && name(of: bytes).count == bytes.count
      && !bytes.contains(UInt8(ascii: "*"))
  }

  private init(_ unlisted: Unlisted, names: [String]) {
    self.unlisted = unlisted
    self.names = names.map { Array($0.utf8) }
  }

  /// Returns the same rule without effect on some requests.
  ///
  /// - Parameter isExempt: Returns true if the sender of a request's fields has checked the host.
  /// - Returns: The rule.
  package func exempting(_ isExempt: @escaping @Sendable (Fields) -> Bool) -> HostRule {
    var rule = self
    rule.isExempt = isExempt
    return rule
  }

  /// Returns true if the rule has no effect on a request with these fields.
  func exempts(_ fields: Fields) -> Bool { isExempt?(fields) ?? false }

  /// Returns true if a request may name this well-formed host.
  ///
  /// An empty host is allowed.
  func allows(_ host: ArraySlice<UInt8>) -> Bool {
    if case .any = unlisted { return true }
    let name = Self.name(of: host)
    return name.isEmpty || Self.equal(name, Self.localhost) || isUnlistedAddress(name)
      || names.contains { Self.equal(name, $0) }
  }

  /// Returns true if a name is an address that need not be listed.
  private func isUnlistedAddress(_ name: ArraySlice<UInt8>) -> Bool {
    if name.first == UInt8(ascii: "[") {
      return unlisted == .addresses || name.elementsEqual(Self.loopbackIPv6)
    }
    // The most frequent address is compared first.
    if Self.equal(name, Self.loopbackIPv4) { return true }
    guard let address = Self.ipv4(name) else { return false }
    return unlisted == .addresses || address >> 24 == 127
  }

  /// Returns true if the bytes are `uri-host [ ":" port ]` (RFC 9110, 7.2; RFC 3986, 3.2.2).
  ///
  /// The empty text is valid. A comma is refused although a registered name may contain it: an
  /// intermediary that joins two `Host` lines puts a comma between them.
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

  /// Returns the host without its port.
  static func name(of host: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if host.first == UInt8(ascii: "["), let end = host.firstIndex(of: UInt8(ascii: "]")) {
      let afterBracket = end + 1
      let isEnd = afterBracket == host.endIndex || host[afterBracket] == UInt8(ascii: ":")
      return isEnd ? host[...end] : host
    }
    let end = TextScan.first(UInt8(ascii: ":"), in: host.span, from: 0, to: host.count)
    return host[..<(host.startIndex + end)]
  }

  /// Returns true for `unreserved` or `sub-delims` without the comma (RFC 3986, 2.2 and 2.3).
  static func isNameCharacter(_ byte: UInt8) -> Bool {
    // A bit for each of "!$&'()*+-.;=".
    let marks: UInt64 = 0x2800_6FD2_0000_0000
    return byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
      || (byte < 64 && marks >> UInt64(byte) & 1 == 1)
  }

  private static let localhost = Array("localhost".utf8)
  private static let loopbackIPv4 = Array("127.0.0.1".utf8)
  private static let loopbackIPv6 = Array("[::1]".utf8)

  /// Returns true if two names differ at most in the case of letters.
  private static func equal(_ name: ArraySlice<UInt8>, _ other: [UInt8]) -> Bool {
    name.count == other.count && equalIgnoringCase(name.span, other.span)
  }
}
