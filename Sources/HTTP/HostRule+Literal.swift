extension HostRule {
  /// Returns true if the bytes are `"[" ( IPv6address / IPvFuture ) "]"` (RFC 3986, 3.2.2).
  static func isLiteral(_ name: ArraySlice<UInt8>) -> Bool {
    guard name.first == UInt8(ascii: "["), name.last == UInt8(ascii: "]") else { return false }
    let address = name.dropFirst().dropLast()
    let isFuture = address.first.map { $0.lowercased == UInt8(ascii: "v") } ?? false
    return isFuture ? isFutureAddress(address.dropFirst()) : isIPv6(address)
  }

  /// Returns true if the bytes are an IPv6 address.
  ///
  /// It has eight groups of up to four hexadecimal digits, the last two of which may be an IPv4
  /// address. `::` may replace one or more groups of zeros, once.
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
      if rest.isEmpty, ipv4(group) != nil {
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

  /// Returns the IPv4 address of four numbers up to 255 without leading zeros, first number
  /// highest.
  ///
  /// Returns nil for all other bytes.
  static func ipv4(_ address: ArraySlice<UInt8>) -> UInt32? {
    let text = address.span
    var (number, groups, digits, value) = (UInt32(0), 1, 0, UInt32(0))
    for place in text.indices {
      if text[place] == UInt8(ascii: ".") {
        guard digits > 0, groups < 4 else { return nil }
        (number, groups, digits, value) = (number << 8 | value, groups + 1, 0, 0)
      } else {
        guard text[place].isDigit, digits == 0 || value > 0 else { return nil }
        digits += 1
        value = value * 10 + UInt32(text[place] - UInt8(ascii: "0"))
        guard value <= 255 else { return nil }
      }
    }
    return groups == 4 && digits > 0 ? number << 8 | value : nil
  }

  /// Returns true for the part of an IPvFuture behind the `v`: `1*HEXDIG "." 1*( unreserved /
  /// sub-delims / ":" )`.
  private static func isFutureAddress(_ address: ArraySlice<UInt8>) -> Bool {
    let version = address.prefix { $0.hexadecimalValue != nil }
    let rest = address[version.endIndex...]
    return !version.isEmpty && rest.first == UInt8(ascii: ".") && rest.count > 1
      && rest.dropFirst().allSatisfy { isNameCharacter($0) || $0 == UInt8(ascii: ":") }
  }
}
