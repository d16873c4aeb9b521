/// A list of web origins, in the form that browsers send (RFC 6454, 6.2; WHATWG HTML).
package struct WebOrigins: Equatable, Sendable {
  /// A text that is not an origin as browsers send it.
  package struct Fault: Error, Equatable, Sendable {
    /// The text.
    package let text: String
  }

  private let origins: [[UInt8]]

  /// Creates an empty list.
  package init() { origins = [] }

  /// Parses a comma-separated list; spaces around origins are ignored.
  ///
  /// - Throws: ``Fault``, also for `*` and `null`, which do not name a known origin.
  package init(list: String) throws(Fault) {
    var origins: [[UInt8]] = []
    for element in list.utf8.split(separator: UInt8(ascii: ",")) {
      let text = trimmingOptionalWhitespace(Array(element)[...])
      guard !text.isEmpty else { continue }
      guard Self.isOrigin(text) else { throw Fault(text: String(decoding: text, as: UTF8.self)) }
      origins.append(Array(text))
    }
    self.origins = origins
  }

  /// True if the list is empty.
  package var isEmpty: Bool { origins.isEmpty }

  /// Returns true if an origin is listed, byte for byte.
  package func contains(_ origin: ArraySlice<UInt8>) -> Bool {
    origins.contains { $0.elementsEqual(origin) }
  }

  /// Returns the host of an origin, with its port if it has one.
  ///
  /// Returns nil if there is no scheme, as in `null`.
  package static func host(of origin: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    origin.firstRange(of: "://".utf8).map { origin[$0.upperBound...] }
  }

  /// Returns true for `scheme://host[:port]` in lower case, without a default port.
  private static func isOrigin(_ text: ArraySlice<UInt8>) -> Bool {
    guard let host = host(of: text), !text.contains(where: { $0 != $0.lowercased }) else {
      return false
    }
    let scheme = text[..<(host.startIndex - 3)]
    let isScheme =
      scheme.first?.isLetter == true
      && scheme.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    let name = HostRule.name(of: host)
    let port = host[name.endIndex...]
    // The characters that browsers leave unencoded in a host; wildcards are excluded.
    let isName = name.allSatisfy { $0.isLetter || $0.isDigit || "-._[]:".utf8.contains($0) }
    return isScheme && isName && !name.isEmpty && HostRule.isWellFormed(host)
      && isPort(port, of: scheme)
  }

  /// Returns true if a text is empty, or a colon and a port that browsers would send.
  private static func isPort(_ text: ArraySlice<UInt8>, of scheme: ArraySlice<UInt8>) -> Bool {
    guard !text.isEmpty else { return true }
    let port = text.dropFirst()
    guard 1...5 ~= port.count, port.first != UInt8(ascii: "0") else { return false }
    let isUsual =
      scheme.elementsEqual("http".utf8) && port.elementsEqual("80".utf8)
      || scheme.elementsEqual("https".utf8) && port.elementsEqual("443".utf8)
    return !isUsual && port.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 65_535
  }
}
