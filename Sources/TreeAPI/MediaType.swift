import HTTP

/// A media type that bodies here have.
enum MediaType: Sendable {
  /// `application/json` (RFC 8259).
  case json
  /// `application/merge-patch+json` (RFC 7396).
  case mergePatch

  /// The name as it is sent.
  var name: String {
    switch self {
    case .json: "application/json"
    case .mergePatch: "application/merge-patch+json"
    }
  }

  /// Whether a `Content-Type` is this one, in UTF-8 as far as it says.
  ///
  /// A missing field is no answer to that: a web page can send a body without a type to any
  /// server, but none of these types (they need a preflight).
  func describes(_ contentType: ArraySlice<UInt8>?) -> Bool {
    guard let contentType else { return false }
    let parts = contentType.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard parts[0].isToken(name) else { return false }
    return parts.dropFirst().allSatisfy { parameter in
      guard let charset = parameter.value(ofParameter: "charset") else { return true }
      return charset.isToken("utf-8") || charset.isToken("\"utf-8\"")
    }
  }

  /// Whether a client's `Accept` allows this type (RFC 9110, 12.5.1).
  ///
  /// The most specific range that covers the type decides; one with a weight of 0 excludes it.
  /// Without the field, or with nothing readable in it, everything is allowed.
  func isAcceptable(to fields: Fields) -> Bool {
    guard let accept = fields.combinedValue(.accept) else { return true }
    let group = name.prefix { $0 != "/" }
    let covering = [name, group + "/*", "*/*"]
    var decision: (rank: Int, allows: Bool)?
    var isReadable = false
    for range in accept[...].split(separator: UInt8(ascii: ",")) {
      let parts = range.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      isReadable = isReadable || parts[0].contains(UInt8(ascii: "/"))
      guard let rank = covering.firstIndex(where: { parts[0].isToken($0) }) else { continue }
      guard rank <= decision?.rank ?? rank else { continue }
      let weight = parts.dropFirst().lazy.compactMap { $0.value(ofParameter: "q") }.first
      // Of two equal ranges the one that allows the type counts.
      let repeats = decision?.rank == rank && decision?.allows == true
      decision = (rank, repeats || !(weight?.isZeroWeight ?? false))
    }
    return decision?.allows ?? !isReadable
  }
}

extension ArraySlice<UInt8> {
  /// Whether these bytes are a token, the case of letters and white space around it aside.
  func isToken(_ token: some StringProtocol) -> Bool {
    let trimmed = trimmingSpace
    return trimmed.count == token.utf8.count
      && zip(trimmed, token.utf8).allSatisfy { $0.lowercased == $1.lowercased }
  }

  /// The value of `name=value`, if the name is this one.
  fileprivate func value(ofParameter name: String) -> ArraySlice<UInt8>? {
    guard let equals = firstIndex(of: UInt8(ascii: "=")), self[..<equals].isToken(name) else {
      return nil
    }
    return self[(equals + 1)...]
  }

  /// Whether this is a weight of 0, such as `0` or `0.000`.
  fileprivate var isZeroWeight: Bool {
    let trimmed = trimmingSpace
    return !trimmed.isEmpty
      && trimmed.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
  }

  /// The bytes without spaces and tabs at either end.
  private var trimmingSpace: ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let last = lastIndex(where: { !isSpace($0) }) else { return [] }
    return self[...last].drop(while: isSpace)
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
