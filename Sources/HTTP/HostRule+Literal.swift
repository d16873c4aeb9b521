extension HostRule {
  /// Whether these bytes are `"[" ( IPv6address / IPvFuture ) "]"` (RFC 3986, 3.2.2).
  static func isLiteral(_ name: ArraySlice<UInt8>) -> Bool {
    guard name.first == UInt8(ascii: "["), name.last == UInt8(ascii: "]") else { return false }
    let address = name.dropFirst().dropLast()
    let isFuture = address.first.map { $0.lowercased == UInt8(ascii: "v") } ?? false
    return isFuture ? isFutureAddress(address.dropFirst()) : isIPv6(address)
  }

  /// Eight groups of up to four hexadecimal digits, the last two of which may be an IPv4 address;
  /// `::`, once, stands for one or more groups of zeros.
  private static func isIPv6(_ address: ArraySlice<UInt8>) -> Bool {
    let colon = UInt8(ascii: ":")
    var rest = address
    var groups = 0
    var hasGap = false
    if rest.starts(with: "::".utf8) {
      hasGap = true
      rest = rest.dropFirst(2)
      if rest.isEmpty { return true }
    }
    while true {
      let group = rest.prefix { $0 != colon }
      rest = rest[group.endIndex...]
      if rest.isEmpty, isIPv4(group) {
        groups += 2
        break
      }
      guard 1...4 ~= group.count, group.allSatisfy({ $0.hexadecimalValue != nil }) else {
        return false
      }
      groups += 1
      if rest.isEmpty { break }
      rest = rest.dropFirst()
      guard rest.first == colon else { continue }
      guard !hasGap else { return false }
      hasGap = true
      rest = rest.dropFirst()
      if rest.isEmpty { break }
    }
    return hasGap ? groups < 8 : groups == 8
  }

  /// Four numbers up to 255 without zeros before them.
  private static func isIPv4(_ address: ArraySlice<UInt8>) -> Bool {
    let parts = address.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        guard 1...3 ~= part.count, part.allSatisfy(\.isDigit) else { return false }
        guard part.count == 1 || part.first != UInt8(ascii: "0") else { return false }
        return part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
      }
  }

  /// `1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`: what comes behind the `v`.
  private static func isFutureAddress(_ address: ArraySlice<UInt8>) -> Bool {
    let version = address.prefix { $0.hexadecimalValue != nil }
    let rest = address[version.endIndex...]
    return !version.isEmpty && rest.first == UInt8(ascii: ".") && rest.count > 1
      && rest.dropFirst().allSatisfy { isNameCharacter($0) || $0 == UInt8(ascii: ":") }
  }
}
