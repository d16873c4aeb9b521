import HTTP

/// A media type that bodies here have.
enum MediaType: Sendable {
  /// `application/json` (RFC 8259).
  case json
  /// `application/merge-patch+json` (RFC 7396).
  case mergePatch
  /// `application/x-ndjson`: JSON values, one a line.
  case lines
  /// `application/octet-stream`: bytes of which the sender says no more, as generated clients do.
  case bytes
  /// `text/event-stream` (WHATWG HTML, 9.2).
  case events
  /// `text/markdown` (RFC 7763).
  case markdown
  /// `text/html`.
  case html

  /// The name as it is sent.
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

  /// Whether an `Accept` is JSON's name, written as it mostly is.
  static func isPlainJSON(_ value: Span<UInt8>) -> Bool {
    guard value.count == jsonBytes.count else { return false }
    let name = jsonBytes.span
    for place in name.indices where value[place] != name[place] { return false }
    return true
  }

  /// Whether a `Content-Type` is this one, in UTF-8 as far as it says.
  ///
  /// A missing field is no answer to that: a web page can send a body without a type to any
  /// server, but none of these types (they need a preflight).
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
  /// Whether these bytes are a token, the case of letters and white space around it aside.
  func equals(ignoringCase token: some StringProtocol) -> Bool {
    equalIgnoringCase(trimmingOptionalWhitespace(self), token.utf8)
  }

  /// The value of `name=value`, if the name is this one.
  func value(ofParameter name: String) -> ArraySlice<UInt8>? {
    guard let equals = firstIndex(of: UInt8(ascii: "=")), self[..<equals].equals(ignoringCase: name)
    else {
      return nil
    }
    return self[(equals + 1)...]
  }
}
