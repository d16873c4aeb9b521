/// The values of the fields that concern the message itself, collected while they are parsed.
struct FramingFields: Sendable {
  /// The offset range of `Host`; a slice would keep a copy of the buffer, which still grows.
  private var host: Range<Int>?
  /// True if the value of `Host` is the same as in the request before.
  private(set) var isHostKnown = false
  /// The value of `Content-Length`, if there is one.
  private(set) var contentLength: Int?
  private var isChunked = false
  private var asksToClose = false
  private var asksToKeepAlive = false
  private var expectation = RequestHead.Expectation.none
  /// The content codings that the client accepts.
  private(set) var codings = AcceptedCodings()
  /// The offset range of the first `X-Request-Id`.
  private(set) var requestID: Range<Int>?
  /// The offset range of `traceparent`; nil if it is repeated, which makes it invalid.
  private(set) var traceparent: Range<Int>?
  private var hasTraceparent = false
  private var hasContentType = false
  /// True if there is one `Content-Type`, and it is exactly `application/json`.
  private(set) var isPlainJSON = false

  /// The fields that ``read(name:value:knownHost:)`` handles.
  ///
  /// The parser passes no others.
  private static let names: [FieldName] = [
    .host, .expect, .connection, .traceParent, .requestID, .contentLength, .acceptEncoding,
    .transferEncoding, .contentType,
  ]
  private static let marks = names.reduce(0) { $0 | $1.mark }
  private static let close = Array("close".utf8)
  private static let keepAlive = Array("keep-alive".utf8)
  private static let json = Array("application/json".utf8)

  /// Returns false if a name is certainly none of these fields, as are most names that browsers
  /// send.
  ///
  /// - Precondition: The name is not empty.
  static func mayConcern(_ name: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    marks & FieldName.mark(ofLength: name.count, from: bytes[name.lowerBound]) != 0
  }

  /// Records a field, if it is one of these.
  ///
  /// - Parameters:
  ///   - name: The field's name.
  ///   - value: The field's value.
  ///   - knownHost: A host that is known to be well formed.
  /// - Throws: The rule that the field breaks by itself.
  mutating func read(
    name: ArraySlice<UInt8>,
    value: ArraySlice<UInt8>,
    knownHost: [UInt8]
  ) throws(RequestRejection) {
    // The length nearly always decides, so most fields cost one comparison.
    switch name.count {
    case 4 where FieldName.host.names(name):
      try readHost(value, known: knownHost)
    case 6 where FieldName.expect.names(name):
      forEachListElement(of: value) { element in
        let isContinue = equalIgnoringCase(element, "100-continue".utf8)
        if expectation != .unknown { expectation = isContinue ? .continue : .unknown }
      }
    case 10 where FieldName.connection.names(name):
      forEachListElement(of: value) { option in
        if equalIgnoringCase(option.span, Self.close.span) { asksToClose = true }
        if equalIgnoringCase(option.span, Self.keepAlive.span) { asksToKeepAlive = true }
      }
    case 11 where FieldName.traceParent.names(name):
      traceparent = hasTraceparent ? nil : value.indices
      hasTraceparent = true
    case 12 where FieldName.requestID.names(name):
      if requestID == nil { requestID = value.indices }
    case 12 where FieldName.contentType.names(name):
      isPlainJSON = !hasContentType && TextScan.areSame(value.span, Self.json.span)
      hasContentType = true
    case 14 where FieldName.contentLength.names(name):
      try readContentLength(value)
    case 15 where FieldName.acceptEncoding.names(name):
      codings.read(value)
    case 17 where FieldName.transferEncoding.names(name):
      try readTransferEncoding(value)
    default: break
    }
  }

  /// Returns a copy for fields at offsets greater by `shift`.
  func moved(by shift: Int) -> FramingFields {
    func move(_ range: Range<Int>) -> Range<Int> {
      range.lowerBound + shift..<range.upperBound + shift
    }
    var notes = self
    notes.host = host.map(move)
    notes.requestID = requestID.map(move)
    notes.traceparent = traceparent.map(move)
    return notes
  }

  /// Updates ``isHostKnown``.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that contain the fields.
  ///   - known: A host that is known to be well formed.
  mutating func compareHost(in bytes: Span<UInt8>, with known: [UInt8]) {
    guard let host else { return }
    isHostKnown = TextScan.areSame(bytes.extracting(host), known.span)
  }

  private mutating func readHost(
    _ value: ArraySlice<UInt8>,
    known: [UInt8]
  ) throws(RequestRejection) {
    guard host == nil else { throw .repeatedHost }
    isHostKnown = TextScan.areSame(value.span, known.span)
    guard isHostKnown || HostRule.isWellFormed(value) else { throw .malformedHost }
    host = value.indices
  }

  /// Parses `1*DIGIT` (RFC 9110, 8.6).
  ///
  /// The standard library's parsers accept more than that.
  private mutating func readContentLength(_ value: ArraySlice<UInt8>) throws(RequestRejection) {
    guard contentLength == nil else { throw .repeatedContentLength }
    guard !value.isEmpty else { throw .malformedContentLength }
    var length = 0
    for byte in value {
      guard byte.isDigit else { throw .malformedContentLength }
      let (tenfold, overflows) = length.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = tenfold.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
      guard !overflows, !overflowsToo else { throw .malformedContentLength }
      length = sum
    }
    contentLength = length
  }

  /// Parses a list of codings; only `chunked` alone is supported (RFC 9112, 6.1).
  private mutating func readTransferEncoding(
    _ value: ArraySlice<UInt8>
  ) throws(RequestRejection) {
    guard !isChunked else { throw .malformedTransferEncoding }
    guard equalIgnoringCase(value, "chunked".utf8) else {
      var codings: [ArraySlice<UInt8>] = []
      forEachListElement(of: value) { codings.append($0) }
      let chunkedPlaces = codings.indices.filter { equalIgnoringCase(codings[$0], "chunked".utf8) }
      let isWellFormed =
        codings.count > 1 && chunkedPlaces == [codings.count - 1]
        && codings.allSatisfy { $0.allSatisfy(\.isTokenCharacter) }
      throw isWellFormed ? .unknownTransferCoding : .malformedTransferEncoding
    }
    isChunked = true
  }

  /// Returns the framing of the content.
  ///
  /// - Throws: The rule that the framing fields together break (RFC 9112, 6.1).
  func framing(_ version: Version) throws(RequestRejection) -> RequestHead.Framing {
    guard isChunked else { return .length(contentLength ?? 0) }
    guard contentLength == nil else { throw .conflictingFraming }
    guard version == .http11 else { throw .transferEncodingInHTTP10 }
    return .chunked
  }

  /// Returns the offset range of `Host`, which HTTP/1.1 requires (RFC 9112, 3.2).
  func host(_ version: Version) throws(RequestRejection) -> Range<Int>? {
    guard host != nil || version == .http10 else { throw .missingHost }
    return host
  }

  /// Returns the expectation of the client.
  ///
  /// There is none with HTTP/1.0, and `100-continue` is ignored without content.
  func expectation(
    _ version: Version,
    _ framing: RequestHead.Framing
  ) -> RequestHead.Expectation {
    guard version == .http11 else { return .none }
    return expectation == .continue && framing == .length(0) ? .none : expectation
  }

  /// Returns true if the connection stays open after the response (RFC 9112, 9.3).
  func keepsAlive(_ version: Version) -> Bool {
    !asksToClose && (version == .http11 || asksToKeepAlive)
  }
}
