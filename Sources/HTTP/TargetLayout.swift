/// The positions of the parts of a request target in the bytes it was parsed from.
///
/// A part without `%` is at its original position. Decoded parts are appended to the bytes.
struct TargetLayout: Sendable {
  var form = Target.Form.origin
  var raw: Range<Int>
  var authority: Range<Int>?
  /// True if the target is an `https` URI.
  var isSecure = false
  var segments: [Range<Int>] = []
  var query: [(name: Range<Int>, value: Range<Int>)] = []

  /// The maximum number of query parameters, each of which takes 32 bytes besides its text.
  private static let maxParameters = 256

  /// Creates the layout of a path.
  init(raw: Range<Int>, segments: [Range<Int>]) {
    self.raw = raw
    self.segments = segments
  }

  /// Parses a request target (RFC 9112, 3.2).
  ///
  /// - Parameters:
  ///   - bytes: The bytes that contain the target. Decoded parts are appended.
  ///   - range: The range of the target.
  ///   - method: The request's method; nil if it is unknown to the server.
  /// - Throws: The rule that the target breaks.
  init(
    parsing bytes: inout [UInt8],
    in range: Range<Int>,
    method: Method?
  ) throws(RequestRejection) {
    raw = range
    let isEncoded = try Self.validateCharacters(of: bytes[range])
    guard let first = bytes[range].first else { throw .malformedTarget }
    if first == UInt8(ascii: "/") {
      try parsePathAndQuery(&bytes, in: range, isEncoded)
    } else if range.count == 1, first == UInt8(ascii: "*") {
      guard method == .options else { throw .malformedTarget }
      form = .asterisk
    } else {
      form = .absolute
      try parseAbsolute(&bytes, in: range, isEncoded, method)
    }
  }

  /// Refuses forbidden characters; returns true if anything is percent-encoded.
  ///
  /// RFC 3986, 2, allows fewer characters. Some others are accepted because browsers send them
  /// unencoded in a path or a query (WHATWG URL, 1.3).
  private static func validateCharacters(
    of target: ArraySlice<UInt8>
  ) throws(RequestRejection) -> Bool {
    let bytes = target.span
    var (isEncoded, isQuery) = (false, false)
    var place = 0
    while place < bytes.count {
      let next = place &+ 8
      if next > bytes.count || !TextScan.areUsualInTarget(bytes, at: place) {
        for index in place..<min(next, bytes.count) {
          switch bytes[index] {
          case UInt8(ascii: "%"): isEncoded = true
          case UInt8(ascii: "?"): isQuery = true
          case let byte where byte.isInTarget: break
          case let byte where byte.isInQuery && isQuery: break
          default: throw .malformedTarget
          }
        }
      }
      place = next
    }
    return isEncoded
  }

  /// Parses `http://host:port/path?query` (RFC 9112, 3.2.2).
  private mutating func parseAbsolute(
    _ bytes: inout [UInt8],
    in range: Range<Int>,
    _ isEncoded: Bool,
    _ method: Method?
  ) throws(RequestRejection) {
    guard let schemeEnd = bytes[range].firstIndex(of: UInt8(ascii: ":")) else {
      throw .malformedTarget
    }
    let scheme = bytes[range.lowerBound..<schemeEnd]
    isSecure = equalIgnoringCase(scheme, "https".utf8)
    let isWeb = isSecure || equalIgnoringCase(scheme, "http".utf8)
    let authorityStart = schemeEnd + 3
    guard isWeb, authorityStart < range.upperBound,
      bytes[schemeEnd + 1] == UInt8(ascii: "/"), bytes[schemeEnd + 2] == UInt8(ascii: "/")
    else { throw .malformedTarget }
    let rest = authorityStart..<range.upperBound
    let authorityEnd =
      bytes[rest].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
      ?? range.upperBound
    let authority = authorityStart..<authorityEnd
    guard !authority.isEmpty, HostRule.isWellFormed(bytes[authority]) else {
      throw .malformedTarget
    }
    self.authority = authority
    // A proxy forwards this target as `*` (RFC 9112, 3.2.4).
    if method == .options, authorityEnd == range.upperBound { return form = .asterisk }
    try parsePathAndQuery(&bytes, in: authorityEnd..<range.upperBound, isEncoded)
  }

  /// Splits the path at every `/`, and the query at `&` and the first `=`, then decodes the parts.
  ///
  /// In a query `+` is a space, as browsers and most programs write it (WHATWG URL, 5.1). A plus
  /// sign is written as `%2B`.
  private mutating func parsePathAndQuery(
    _ bytes: inout [UInt8],
    in range: Range<Int>,
    _ isEncoded: Bool
  ) throws(RequestRejection) {
    let pathEnd = splitPath(bytes.span, in: range)
    if isEncoded {
      for place in segments.indices {
        segments[place] = try Self.decode(&bytes, segments[place])
      }
    }
    if pathEnd < range.upperBound {
      try parseQuery(&bytes, in: pathEnd + 1..<range.upperBound, isEncoded)
    }
  }

  /// Splits the path at the beginning of a range and returns its end.
  private mutating func splitPath(_ bytes: Span<UInt8>, in range: Range<Int>) -> Int {
    segments.reserveCapacity(8)
    let (offset, limit) = (range.lowerBound, range.upperBound)
    let pathEnd = TextScan.first(UInt8(ascii: "?"), in: bytes, from: offset, to: limit)
    // A URI may have no path, which means `/`.
    let hasSlash = offset < pathEnd && bytes[offset] == UInt8(ascii: "/")
    var start = hasSlash ? offset + 1 : offset
    while true {
      let end = TextScan.first(UInt8(ascii: "/"), in: bytes, from: start, to: pathEnd)
      segments.append(start..<end)
      if end == pathEnd { return pathEnd }
      start = end + 1
    }
  }

  /// Parses a query that follows the path, up to an offset.
  ///
  /// - Throws: The rule that the query breaks.
  mutating func addQuery(
    of bytes: inout [UInt8],
    upTo end: Int
  ) throws(RequestRejection) {
    let pathEnd = raw.upperBound
    raw = raw.lowerBound..<end
    let isEncoded = try Self.validateCharacters(of: bytes[pathEnd..<end])
    try parseQuery(&bytes, in: pathEnd + 1..<end, isEncoded)
  }

  private mutating func parseQuery(
    _ bytes: inout [UInt8],
    in range: Range<Int>,
    _ isEncoded: Bool
  ) throws(RequestRejection) {
    let limit = range.upperBound
    var start = range.lowerBound
    let firstPlus = TextScan.first(UInt8(ascii: "+"), in: bytes.span, from: start, to: limit)
    let isCoded = isEncoded || firstPlus < limit
    query.reserveCapacity(4)
    while start < limit {
      let end = TextScan.first(UInt8(ascii: "&"), in: bytes.span, from: start, to: limit)
      if start < end {
        let nameEnd = TextScan.first(UInt8(ascii: "="), in: bytes.span, from: start, to: end)
        var (name, value) = (start..<nameEnd, min(nameEnd + 1, end)..<end)
        if isCoded {
          name = try Self.decode(&bytes, name, plus: UInt8(ascii: " "))
          value = try Self.decode(&bytes, value, plus: UInt8(ascii: " "))
        }
        guard query.count < Self.maxParameters else {
          throw .tooManyParameters(limit: Self.maxParameters)
        }
        query.append((name, value))
      }
      start = end + 1
    }
  }

  /// Percent-decodes a part (RFC 3986, 2.1) and returns the range of the result.
  ///
  /// A `+` is replaced with the byte `plus`.
  private static func decode(
    _ bytes: inout [UInt8],
    _ range: Range<Int>,
    plus: UInt8 = UInt8(ascii: "+")
  ) throws(RequestRejection) -> Range<Int> {
    let isCoded = bytes[range].contains { byte in
      byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") && byte != plus
    }
    guard isCoded else { return range }
    let start = bytes.count
    var index = range.lowerBound
    while index < range.upperBound {
      var byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "+") {
        byte = plus
      } else if byte == UInt8(ascii: "%") {
        guard index + 1 < range.upperBound,
          let high = bytes[index].hexadecimalValue, let low = bytes[index + 1].hexadecimalValue
        else { throw .malformedPercentEncoding }
        byte = high << 4 | low
        index += 2
      }
      guard byte != 0 else { throw .malformedPercentEncoding }
      bytes.append(byte)
    }
    guard isUTF8(bytes, from: start) else { throw .targetNotUTF8 }
    return start..<bytes.count
  }

  private static func isUTF8(_ bytes: [UInt8], from start: Int) -> Bool {
    (try? UTF8Span(validating: bytes.span.extracting(start..<bytes.count))) != nil
  }
}

extension UInt8 {
  /// True if the byte is allowed in a path and in a query; `%` and `?` are handled elsewhere.
  fileprivate var isInTarget: Bool {
    // Nearly all bytes are letters, digits and the characters before them.
    if isLetter || self &- UInt8(ascii: "&") < 22 { return true }
    switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "="), UInt8(ascii: "@"),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "^"), UInt8(ascii: "|"):
      return true
    default: return false
    }
  }

  /// True if the byte is allowed in a query only.
  fileprivate var isInQuery: Bool {
    switch self {
    case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
    default: false
    }
  }
}
