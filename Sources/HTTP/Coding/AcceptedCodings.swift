/// Which codings of content a client takes: `Accept-Encoding` (RFC 9110, 12.5.3).
///
/// Without the field any coding may be sent, and none is: who wants one says so.
public struct AcceptedCodings: Equatable, Sendable {
  /// How much gzip is wanted, in thousandths; nil where nothing is said of it.
  private var gzip: Int?
  /// How much content as it is.
  private var identity: Int?
  /// How much whatever is not named.
  private var others: Int?

  /// The old name is another word for it (RFC 9110, 8.4.1.3).
  private static let gzipNames = [Array("gzip".utf8), Array("x-gzip".utf8)]
  private static let identityName = Array("identity".utf8)

  /// Those of a request that says nothing of it.
  public init() {}

  /// Reads a value of the field; where it is repeated, all of them.
  ///
  /// What is no coding with a weight is passed over. Of a coding that is named twice the greater
  /// weight counts.
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

  /// Whether gzip is wanted, at least as much as content as it is.
  public var prefersGzip: Bool {
    let weight = gzip ?? others ?? 0
    return weight > 0 && weight >= identity ?? others ?? 0
  }

  /// Whether gzip may be sent.
  public var allowsGzip: Bool { gzip ?? others ?? 0 > 0 }

  /// Whether content may be sent as it is, which holds unless it is excluded.
  public var allowsIdentity: Bool { identity ?? others ?? 1 > 0 }

  /// The weight that a parameter gives, written with the semicolon before it, 1000 without one; nil
  /// where it is none of a coding's.
  private static func weight(_ parameter: ArraySlice<UInt8>) -> Int? {
    guard !parameter.isEmpty else { return 1_000 }
    let text = trimmingOptionalWhitespace(parameter.dropFirst())
    guard text.count > 2, text[text.startIndex].lowercased == 0x71,
      text[text.startIndex + 1] == UInt8(ascii: "=")
    else { return nil }
    return Weight.thousandths(text.dropFirst(2))
  }
}
