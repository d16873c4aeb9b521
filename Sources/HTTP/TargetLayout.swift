/// Where the parts of a request-target lie in the bytes it was parsed from.
///
/// A part without `%` is where it was received; a decoded one is appended to those bytes.
struct TargetLayout: Sendable {
  var form = Target.Form.origin
  var raw: Range<Int>
  var authority: Range<Int>?
  /// Whether it names an `https` resource.
  var isSecure = false
  var segments: [Range<Int>] = []
  var query: [(name: Range<Int>, value: Range<Int>)] = []

  /// A path of these segments.
  init(raw: Range<Int>, segments: [Range<Int>]) {
    self.raw = raw
    self.segments = segments
  }

  /// Takes a request-target apart (RFC 9112, 3.2).
  ///
  /// - Parameters:
  ///   - bytes: Holds the target; decoded parts are appended.
  ///   - range: Where the target is.
  ///   - method: The request's method; nil for one the server does not know.
  /// - Throws: The rule the target breaks.
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

  /// Refuses what no target has; returns whether anything of it is percent-encoded.
  ///
  /// A URI has fewer characters (RFC 3986, 2). Those that browsers send as they are nevertheless,
  /// in a path or in a query (WHATWG URL, 1.3), are taken there.
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
    // What a proxy sends on as `*` (RFC 9112, 3.2.4).
    if method == .options, authorityEnd == range.upperBound { return form = .asterisk }
    try parsePathAndQuery(&bytes, in: authorityEnd..<range.upperBound, isEncoded)
  }

  /// Splits at every `/` of the path and at `&` and the first `=` of the query, then decodes.
  ///
  /// A `+` in a query is a space, as forms and what browsers and most programs make queries with
  /// write it (WHATWG URL, 5.1); a plus sign comes as `%2B`.
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

  /// Splits the path that a range begins with, and returns where it ends.
  private mutating func splitPath(_ bytes: Span<UInt8>, in range: Range<Int>) -> Int {
    segments.reserveCapacity(8)
    let (offset, limit) = (range.lowerBound, range.upperBound)
    let pathEnd = TextScan.first(UInt8(ascii: "?"), in: bytes, from: offset, to: limit)
    // An absolute target may leave the path out; it is `/` then.
    let hasSlash = offset < pathEnd && bytes[offset] == UInt8(ascii: "/")
    var start = hasSlash ? offset + 1 : offset
    while true {
      let end = TextScan.first(UInt8(ascii: "/"), in: bytes, from: start, to: pathEnd)
      segments.append(start..<end)
      if end == pathEnd { return pathEnd }
      start = end + 1
    }
  }

  /// Takes a query, too, that follows the path up to an offset.
  ///
  /// - Throws: The rule it breaks.
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
        query.append((name, value))
      }
      start = end + 1
    }
  }

  /// Percent-decodes one part (RFC 3986, 2.1), in which `+` stands for a byte, and returns where
  /// the result is.
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
  /// Whether this is taken in a path and in a query, `%` and `?` aside.
  fileprivate var isInTarget: Bool {
    // Letters, digits and what is before them first, as nearly all is.
    if isLetter || self &- UInt8(ascii: "&") < 22 { return true }
    switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "="), UInt8(ascii: "@"),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "^"), UInt8(ascii: "|"):
      return true
    default: return false
    }
  }

  /// Whether this is taken in a query only.
  fileprivate var isInQuery: Bool {
    switch self {
    case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
    default: false
    }
  }
}
