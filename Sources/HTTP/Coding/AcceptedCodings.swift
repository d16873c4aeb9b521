/// The content codings that a client accepts, from `Accept-Encoding` (RFC 9110, 12.5.3).
///
/// Without the field any coding is acceptable, but none is used: a client must ask for it.
package struct AcceptedCodings: Equatable, Sendable {
  /// The weight of gzip in thousandths; nil if it is not named.
  private var gzip: Int?
  /// The weight of unencoded content in thousandths; nil if it is not named.
  private var identity: Int?
  /// The weight of `*` in thousandths; nil if it is not named.
  private var others: Int?

  /// The names of gzip; `x-gzip` is an alias (RFC 9110, 8.4.1.3).
  private static let gzipNames = [Array("gzip".utf8), Array("x-gzip".utf8)]
  private static let identityName = Array("identity".utf8)

  /// Creates the codings of a request without the field.
  package init() {}

  /// Parses a value of the field; must be called for each value if the field is repeated.
  ///
  /// Malformed elements are ignored. If a coding is named twice, the greater weight counts.
  mutating func read(_ value: ArraySlice<UInt8>) {
    forEachListElement(of: value) { element in
      let end = element.firstIndex(of: UInt8(ascii: ";")) ?? element.endIndex
      let name = trimmingOptionalWhitespace(element[..<end])
      guard let weight = Self.weight(element[end...]) else { return }
      if Self.gzipNames.contains(where: { equalIgnoringCase(name.span, $0.span) }) {
        gzip = max(gzip ?? 0, weight)
      } else if equalIgnoringCase(name.span, Self.identityName.span) {
        identity = max(identity ?? 0, weight)
      } else if name.count == 1, name.first == UInt8(ascii: "*") {
        others = max(others ?? 0, weight)
      }
    }
  }

  /// True if gzip is wanted at least as much as unencoded content.
  package var prefersGzip: Bool {
    let weight = gzip ?? others ?? 0
    return weight > 0 && weight >= identity ?? others ?? 0
  }

  /// True if gzip may be sent.
  package var allowsGzip: Bool { gzip ?? others ?? 0 > 0 }

  /// True if unencoded content may be sent, which is so unless it is excluded.
  package var allowsIdentity: Bool { identity ?? others ?? 1 > 0 }

  /// Returns the weight in a parameter, which begins with its semicolon.
  ///
  /// Returns 1000 for an empty parameter, and nil for one that is not a weight.
  private static func weight(_ parameter: ArraySlice<UInt8>) -> Int? {
    guard !parameter.isEmpty else { return 1_000 }
    let text = trimmingOptionalWhitespace(parameter.dropFirst())
    guard text.count > 2, text[text.startIndex].lowercased == 0x71,
      text[text.startIndex + 1] == UInt8(ascii: "=")
    else { return nil }
    return Weight.thousandths(text.dropFirst(2))
  }
}

/// The weight that a client gives one of several forms of a response (RFC 9110, 12.4.2).
package enum Weight {
  /// Returns a value such as `0.25` in thousandths, or nil if it is malformed.
  ///
  /// Digits after the third are ignored.
  package static func thousandths(_ value: ArraySlice<UInt8>) -> Int? {
    let digits = trimmingOptionalWhitespace(value)
    guard let first = digits.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"),
      digits.count == 1 || digits[digits.startIndex + 1] == UInt8(ascii: ".")
    else { return nil }
    var weight = first == UInt8(ascii: "1") ? 1_000 : 0
    var scale = 100
    for digit in digits.dropFirst(2) {
      guard digit.isDigit else { return nil }
      weight += Int(digit - UInt8(ascii: "0")) * scale
      scale /= 10
    }
    return weight <= 1_000 ? weight : nil
  }
}
