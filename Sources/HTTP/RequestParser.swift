/// A parser of the head of one request (RFC 9112, 2–6), for input in pieces of any size.
///
/// It also routes the request. The owner keeps the input and passes all of it with each call. The
/// parser remembers its position, so each byte is read a constant number of times. Nothing is
/// repaired: input that parsers may understand differently is refused.
struct RequestParser: Sendable {
  private let limits: Limits
  private let router: Router
  private let remote: String
  private var isInFields = false
  /// The number of bytes of empty lines before the head.
  private var emptyLineBytes = 0
  /// The offset of the first byte of the head, behind empty lines.
  private(set) var start: Int
  private var fieldsStart = 0
  private var lineStart: Int
  /// The offset behind the bytes known to belong to the method.
  private var methodEnd: Int
  /// The offset of the next byte to read.
  private var position: Int

  private(set) var method: Method?
  private var version = Version.http11
  private var target = 0..<0
  private var entries: [Fields.Entry] = []
  private var notes = FramingFields()
  /// The allowed host of the last request, which need not be checked again.
  private(set) var knownHost: [UInt8] = []
  /// The maximum length of `knownHost`, which limits the memory of an idle connection.
  ///
  /// No DNS name is longer (RFC 1035, 2.3.4).
  private static let maxKnownHostBytes = 255
  private var knownPath = KnownPath()
  private var knownFields = KnownFields()

  /// Creates a parser of the request at an offset.
  ///
  /// - Parameters:
  ///   - limits: The limits of a head.
  ///   - router: The routes.
  ///   - remote: The address of the client; empty if it is unknown.
  ///   - start: The offset.
  init(limits: Limits, router: Router = Router(), remote: String = "", start: Int = 0) {
    self.limits = limits
    self.router = router
    self.remote = remote
    self.start = start
    lineStart = start
    methodEnd = start
    position = start
  }

  /// Restarts with the request at an offset.
  mutating func restart(at start: Int) {
    move(to: start)
    emptyLineBytes = 0
    fieldsStart = 0
    isInFields = false
    method = nil
    version = .http11
    target = 0..<0
    entries = []
    notes = FramingFields()
  }

  /// Moves to another offset, before any byte of the request but empty lines was read.
  mutating func move(to start: Int) {
    self.start = start
    lineStart = start
    methodEnd = start
    position = start
  }

  /// Caches an allowed host, unless it is too long.
  mutating func keepHost(_ host: ArraySlice<UInt8>) {
    if host.count <= Self.maxKnownHostBytes { knownHost = Array(host) }
  }

  /// True if a byte of the request has been read, not counting empty lines.
  var hasBegun: Bool { isInFields || position > start }

  /// Returns the id that the client gave the request, if it is parsed and valid.
  func requestID(in bytes: [UInt8]) -> RequestID? {
    notes.requestID.flatMap { RequestID(bytes[$0]) }
  }

  /// Returns the fields parsed so far.
  func fields(in bytes: [UInt8]) -> Fields {
    Fields(bytes: Array(bytes[start...]), entries: entries)
  }

  /// Continues parsing.
  ///
  /// - Parameter bytes: All input: that of earlier calls and the new one behind it.
  /// - Returns: The head, or nil if it is incomplete.
  /// - Throws: The rule that the request breaks. The parser must not be used afterwards.
  mutating func parse(_ bytes: [UInt8]) throws(RequestRejection) -> RequestHead? {
    if !isInFields {
      if !hasBegun { try skipEmptyLines(bytes) }
      try skipMethod(bytes)
      guard let line = try nextLine(bytes) else { return nil }
      try parseRequestLine(bytes, line)
      isInFields = true
      fieldsStart = lineStart
      if parseKnownFields(bytes) { return try finish(bytes) }
      entries.reserveCapacity(16)
      knownFields.beginLines()
    }
    while true {
      if try parseKnownLine(bytes) { continue }
      guard let line = try nextLine(bytes) else { return nil }
      guard !line.isEmpty else { break }
      try parseFieldLine(bytes, line)
      knownFields.passLine()
    }
    let head = try finish(bytes)
    knownFields.keep(bytes, fieldsStart..<position, ofHeadAt: start, entries, notes)
    return head
  }

  /// Consumes all fields if they are exactly those of the last request; returns true if so.
  private mutating func parseKnownFields(_ bytes: [UInt8]) -> Bool {
    guard knownFields.areNext(in: bytes.span, at: fieldsStart) else { return false }
    (entries, notes) = knownFields.moved(to: fieldsStart, inHeadAt: start)
    notes.compareHost(in: bytes.span, with: knownHost)
    position = fieldsStart + knownFields.count
    lineStart = position
    return true
  }

  /// Consumes the next line if it is one of the last request's; returns true if so.
  private mutating func parseKnownLine(_ bytes: [UInt8]) throws(RequestRejection) -> Bool {
    guard position == lineStart, entries.count < limits.maxHeaderFields,
      let (entry, count) = knownFields.parseLine(in: bytes.span, at: position, ofHeadAt: start),
      position + count <= fieldsStart + limits.maxHeaderBytes
    else { return false }
    try add(entry, in: bytes)
    position += count
    lineStart = position
    return true
  }

  /// Skips CRLFs before the request line (RFC 9112, 2.2); they count towards its limit.
  private mutating func skipEmptyLines(_ bytes: [UInt8]) throws(RequestRejection) {
    var next = start
    while next + 1 < bytes.count, bytes[next] == .carriageReturn, bytes[next + 1] == .lineFeed {
      next += 2
      emptyLineBytes += 2
      guard emptyLineBytes <= limits.maxRequestLineBytes else { throw lineTooLong }
    }
    move(to: next)
  }

  /// Skips the available bytes of the method.
  ///
  /// Input of another protocol is thereby refused at its first bytes, not at a limit or timeout.
  private mutating func skipMethod(_ bytes: [UInt8]) throws(RequestRejection) {
    let text = bytes.span
    while methodEnd < text.count, text[methodEnd].isTokenCharacter { methodEnd += 1 }
    // Longer than any registered method (RFC 9112, 3).
    guard methodEnd - start <= Limits.maxMethodBytes else { throw .unknownMethod }
    guard methodEnd < text.count else { return }
    // A line end or a control character is handled when the end of the line is looked for.
    let byte = text[methodEnd]
    guard byte == .space ? methodEnd > start : byte.isForbiddenControl else {
      throw .malformedRequestLine
    }
    // Set before anything else is refused, because a refusal of HEAD has no content.
    if method == nil { method = Method(bytes[start..<methodEnd]) }
  }

  /// Skips a line with its CRLF and returns its range, or nil if it is incomplete.
  ///
  /// The line has no control characters but HTAB.
  private mutating func nextLine(_ bytes: [UInt8]) throws(RequestRejection) -> Range<Int>? {
    let maxLineEnd =
      isInFields
      ? fieldsStart + limits.maxHeaderBytes - 2
      : start + limits.maxRequestLineBytes - emptyLineBytes
    let tooLong = lineTooLong
    guard
      try HeadLine.seekEnd(in: bytes, from: &position, atMost: maxLineEnd, tooLong: tooLong)
    else { return nil }
    let line = lineStart..<position
    position += 2
    lineStart = position
    return line
  }

  /// The rejection of a line that exceeds its limit.
  private var lineTooLong: RequestRejection {
    isInFields
      ? .headerTooLarge(limit: limits.maxHeaderBytes)
      : .requestLineTooLong(limit: limits.maxRequestLineBytes)
  }

  /// Parses `method SP request-target SP HTTP-version` (RFC 9112, 3).
  private mutating func parseRequestLine(
    _ bytes: [UInt8],
    _ line: Range<Int>
  ) throws(RequestRejection) {
    let text = bytes.span.extracting(..<line.upperBound)
    let targetEnd = TextScan.first(.space, in: text, from: methodEnd + 1, to: text.count)
    guard targetEnd < text.count, targetEnd > methodEnd + 1 else { throw .malformedRequestLine }
    version = try Version(parsing: text.extracting((targetEnd + 1)...))
    if method == nil, bytes[line.lowerBound..<methodEnd].elementsEqual("CONNECT".utf8) {
      throw .tunnelRefused
    }
    target = methodEnd + 1..<targetEnd
  }

  /// Parses `name ":" OWS value OWS` (RFC 9112, 5).
  private mutating func parseFieldLine(
    _ bytes: [UInt8],
    _ line: Range<Int>
  ) throws(RequestRejection) {
    guard entries.count < limits.maxHeaderFields else {
      throw .tooManyFields(limit: limits.maxHeaderFields)
    }
    let (name, value) = try HeadLine.parseField(in: bytes.span, line)
    try add(Fields.Entry(name: relative(name), value: relative(value)), in: bytes)
  }

  /// Appends a field and records its meaning.
  private mutating func add(
    _ entry: Fields.Entry,
    in bytes: [UInt8]
  ) throws(RequestRejection) {
    entries.append(entry)
    let name = absolute(entry.name)
    guard FramingFields.mayConcern(name, in: bytes.span) else { return }
    try notes.read(name: bytes[name], value: bytes[absolute(entry.value)], knownHost: knownHost)
  }

  /// Returns a range relative to the head.
  private func relative(_ range: Range<Int>) -> Range<Int32> {
    Int32(range.lowerBound - start)..<Int32(range.upperBound - start)
  }

  /// Returns a range in the input from one relative to the head.
  private func absolute(_ range: Range<Int32>) -> Range<Int> {
    Int(range.lowerBound) + start..<Int(range.upperBound) + start
  }

  /// Creates the head from its parsed parts.
  private mutating func finish(_ bytes: [UInt8]) throws(RequestRejection) -> RequestHead {
    var head = Array(bytes[start..<position])
    let (target, match) = try route(&head)
    let framing = try notes.framing(version)
    let hostRange = try notes.host(version)
    let host = hostRange.map { head[$0.lowerBound - start..<$0.upperBound - start] }
    let trace = notes.traceparent.flatMap { TraceContext(bytes[$0]) }
    return RequestHead(
      method: method,
      target: target,
      version: version,
      fields: Fields(bytes: head, entries: entries),
      match: match,
      framing: framing,
      expectation: notes.expectation(version, framing),
      keepsAlive: notes.keepsAlive(version),
      host: target.authority ?? host ?? [],
      isHostKnown: target.authority == nil && notes.isHostKnown,
      codings: notes.codings,
      isPlainJSON: notes.isPlainJSON,
      requestID: requestID(in: bytes),
      trace: trace,
      remote: remote,
      end: position
    )
  }

  /// Parses the target and routes the request, or uses the cached result.
  private mutating func route(
    _ head: inout [UInt8]
  ) throws(RequestRejection) -> (Target, RouteMatch) {
    let range = target.lowerBound - start..<target.upperBound - start
    if knownPath.isPath(of: head.span, in: range, method) {
      var layout = knownPath.layout
      if layout.raw != range { try layout.addQuery(of: &head, upTo: range.upperBound) }
      return (Target(bytes: head, layout: layout), knownPath.match)
    }
    let layout = try TargetLayout(parsing: &head, in: range, method: method)
    let target = Target(bytes: head, layout: layout)
    let match = router.match(method, target)
    knownPath.keep(head, layout, method, match)
    return (target, match)
  }
}
