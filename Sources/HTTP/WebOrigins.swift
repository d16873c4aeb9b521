/// Web origins, each written as browsers send it (RFC 6454, 6.2; WHATWG HTML, "serialization of an
/// origin").
public struct WebOrigins: Equatable, Sendable {
  /// A text that is no origin, and could equal none that a browser sends.
  public struct Fault: Error, Equatable, Sendable {
    /// The text.
    public let text: String
  }

  private let origins: [[UInt8]]

  /// None.
  public init() { origins = [] }

  /// Reads a list: commas between the origins, and spaces as one likes.
  ///
  /// - Throws: ``Fault``, also for `*` and `null`, which stand for pages that nobody knows.
  public init(list: String) throws(Fault) {
    var origins: [[UInt8]] = []
    for element in list.utf8.split(separator: UInt8(ascii: ",")) {
      let text = trimmingOptionalWhitespace(Array(element)[...])
      guard !text.isEmpty else { continue }
      guard Self.isOrigin(text) else { throw Fault(text: String(decoding: text, as: UTF8.self)) }
      origins.append(Array(text))
    }
    self.origins = origins
  }

  /// Whether there are none.
  public var isEmpty: Bool { origins.isEmpty }

  /// Whether this is one of them, byte for byte.
  public func contains(_ origin: ArraySlice<UInt8>) -> Bool {
    origins.contains { $0.elementsEqual(origin) }
  }

  /// What follows the scheme of an origin: its host, and its port if it names one; nil where there
  /// is no scheme, as in `null`.
  public static func host(of origin: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    origin.firstRange(of: "://".utf8).map { origin[$0.upperBound...] }
  }

  /// Whether a text is `scheme://host[:port]`, in lower case and without the port that goes without
  /// saying.
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
    // The characters that browsers leave in a host; no wildcards.
    let isName = name.allSatisfy { $0.isLetter || $0.isDigit || "-._[]:".utf8.contains($0) }
    return isScheme && isName && !name.isEmpty && HostRule.isWellFormed(host)
      && isPort(port, of: scheme)
  }

  /// Whether a text is a colon and the digits of a port that a browser would send, or empty.
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
