import HTTP

/// A media type that bodies here have.
enum MediaType: Sendable {
  /// `application/json` (RFC 8259).
  case json
  /// `application/merge-patch+json` (RFC 7396).
  case mergePatch
  /// `application/x-ndjson`: JSON values, one a line.
  case lines
  /// `text/event-stream` (WHATWG HTML, 9.2).
  case events

  /// The name as it is sent.
  var name: String {
    switch self {
    case .json: "application/json"
    case .mergePatch: "application/merge-patch+json"
    case .lines: "application/x-ndjson"
    case .events: "text/event-stream"
    }
  }

  private static let jsonBytes = Array("application/json".utf8)

  /// Whether a `Content-Type` is this one, in UTF-8 as far as it says.
  ///
  /// A missing field is no answer to that: a web page can send a body without a type to any
  /// server, but none of these types (they need a preflight).
  func describes(_ contentType: ArraySlice<UInt8>?) -> Bool {
    guard let contentType else { return false }
    if self == .json, contentType == Self.jsonBytes[...] { return true }
    if contentType.count == name.utf8.count, contentType.elementsEqual(name.utf8) { return true }
    let parts = contentType.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    guard parts[0].isToken(name) else { return false }
    return parts.dropFirst().allSatisfy { parameter in
      guard let charset = parameter.value(ofParameter: "charset") else { return true }
      return charset.isToken("utf-8") || charset.isToken("\"utf-8\"")
    }
  }

  /// The type of several that a client wants most; of equal ones the first, nil if it wants none.
  static func preferred(of types: [MediaType], by fields: Fields) -> MediaType? {
    guard let accept = fields.combinedValue(.accept) else { return types.first }
    var best: (type: MediaType, weight: Int)?
    for type in types {
      let weight = type.weight(in: accept)
      if weight > best?.weight ?? 0 { best = (type, weight) }
    }
    return best?.type
  }

  /// How much a client's `Accept` wants this type, in thousandths (RFC 9110, 12.5.1).
  ///
  /// The most specific range that covers the type decides; one with a weight of 0 excludes it.
  /// With nothing readable in the field everything is wanted.
  private func weight(in accept: [UInt8]) -> Int {
    let group = name.prefix { $0 != "/" }
    let covering = [name, group + "/*", "*/*"]
    var decision: (rank: Int, weight: Int)?
    var isReadable = false
    for range in accept.split(separator: UInt8(ascii: ",")) {
      let parts = range.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      isReadable = isReadable || parts[0].contains(UInt8(ascii: "/"))
      guard let rank = covering.firstIndex(where: { parts[0].isToken($0) }) else { continue }
      guard rank <= decision?.rank ?? rank else { continue }
      let written = parts.dropFirst().lazy.compactMap { $0.value(ofParameter: "q") }.first
      let weight = written.flatMap(Weight.thousandths) ?? 1_000
      // Of two equal ranges the one that wants the type more counts.
      let isRepeated = decision?.rank == rank
      decision = (rank, isRepeated ? max(decision?.weight ?? 0, weight) : weight)
    }
    return decision?.weight ?? (isReadable ? 0 : 1_000)
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
