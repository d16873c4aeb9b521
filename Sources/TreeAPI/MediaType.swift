import HTTP

/// A media type of request or response bodies.
enum MediaType: Sendable {
  /// `application/json` (RFC 8259).
  case json
  /// `application/merge-patch+json` (RFC 7396).
  case mergePatch
  /// `application/x-ndjson`: JSON values, one a line.
  case lines
  /// `application/octet-stream`: bytes of unspecified type, as sent by generated clients.
  case bytes
  /// `text/event-stream` (WHATWG HTML, 9.2).
  case events
  /// `text/markdown` (RFC 7763).
  case markdown
  /// `text/html`.
  case html

  /// The name as sent.
  var name: String {
    switch self {
    case .json: "application/json"
    case .mergePatch: "application/merge-patch+json"
    case .lines: "application/x-ndjson"
    case .bytes: "application/octet-stream"
    case .events: "text/event-stream"
    case .markdown: "text/markdown"
    case .html: "text/html"
    }
  }

  private static let jsonBytes = Array("application/json".utf8)

  /// Returns true if a value is exactly the name of JSON, its most frequent form.
  static func isPlainJSON(_ value: Span<UInt8>) -> Bool {
    guard value.count == jsonBytes.count else { return false }
    let name = jsonBytes.span
    for place in name.indices where value[place] != name[place] { return false }
    return true
  }

  /// Returns true if a `Content-Type` is this type, with no charset but UTF-8.
  ///
  /// A missing field is no match. A web page may send a body without a type to any server, but none
  /// of these types, which need a preflight.
  func describes(_ contentType: ArraySlice<UInt8>?) -> Bool {
    guard let contentType else { return false }
    if contentType.count == name.utf8.count, contentType.elementsEqual(name.utf8) { return true }
    let parts = contentType.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard parts[0].equals(ignoringCase: name) else { return false }
    return parts.dropFirst().allSatisfy { parameter in
      guard let charset = parameter.value(ofParameter: "charset") else { return true }
      return charset.equals(ignoringCase: "utf-8") || charset.equals(ignoringCase: "\"utf-8\"")
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns true if the bytes are a token, ignoring case and surrounding white space.
  func equals(ignoringCase token: some StringProtocol) -> Bool {
    equalIgnoringCase(trimmingOptionalWhitespace(self), token.utf8)
  }

  /// Returns the value of a parameter `name=value`, if it has the name.
  func value(ofParameter name: String) -> ArraySlice<UInt8>? {
    guard let equals = firstIndex(of: UInt8(ascii: "=")), self[..<equals].equals(ignoringCase: name)
    else {
      return nil
    }
    return self[(equals + 1)...]
  }
}
