/// Parses the head of one request (RFC 9112, 2–6) from bytes that arrive in any pieces, and looks
/// up where it goes to.
///
/// The owner keeps the bytes and shows all of them again with each call; the parser remembers how
/// far it got, so that each byte is looked at once on its way to the end of its line and once as
/// part of it, however they arrive. Nothing is repaired: what readers could understand in two ways
/// is refused.
struct RequestParser: Sendable {
  private let limits: Limits
  private let router: Router
  private var isInFields = false
  /// How many bytes of empty lines stood before the head.
  private var emptyLineBytes = 0
  /// The first byte of the head: after the empty lines that may stand before it.
  private(set) var start: Int
  private var fieldsStart = 0
  private var lineStart: Int
  /// The first byte that is not known to be of the method.
  private var methodEnd: Int
  /// The next byte to look at.
  private var position: Int

  private(set) var method: Method?
  private var version = Version.http11
  private var target = 0..<0
  private var entries: [Fields.Entry] = []
  private var notes = FieldNotes()
  /// A host that requests may name, as the last one did: most clients name the same each time, and
  /// it need not be looked at again.
  private(set) var knownHost: [UInt8] = []
  /// Longer ones are not kept, so that a connection that does nothing holds little; no name in the
  /// DNS is longer (RFC 1035, 2.3.4).
  private static let maxKnownHostBytes = 255
  private var knownPath = KnownPath()
  private var knownFields = KnownFields()

  /// A parser of the request that begins at an offset in the bytes.
  init(limits: Limits, router: Router = Router(), start: Int = 0) {
    self.limits = limits
    self.router = router
    self.start = start
    lineStart = start
    methodEnd = start
    position = start
  }

  /// Begins anew with the request that begins at an offset in the bytes.
  mutating func restart(at start: Int) {
    move(to: start)
    emptyLineBytes = 0
    fieldsStart = 0
    isInFields = false
    method = nil
    version = .http11
    target = 0..<0
    entries = []
    notes = FieldNotes()
  }

  /// Goes on at another offset, with a request of which nothing but empty lines has been seen.
  mutating func move(to start: Int) {
    self.start = start
    lineStart = start
    methodEnd = start
    position = start
  }

  /// Keeps a host that requests may name, unless it is long.
  mutating func keepHost(_ host: ArraySlice<UInt8>) {
    if host.count <= Self.maxKnownHostBytes { knownHost = Array(host) }
  }

  /// Whether a byte of the request has been seen, empty lines before it aside.
  var hasBegun: Bool { isInFields || position > start }

  /// How the client names the request, as far as its head is parsed.
  func requestID(in bytes: [UInt8]) -> RequestID? {
    notes.requestID.flatMap { RequestID(bytes[$0]) }
  }

  /// The fields of the head, as far as it is parsed.
  func fields(in bytes: [UInt8]) -> Fields {
    Fields(bytes: Array(bytes[start...]), entries: entries)
  }

  /// Goes on parsing.
  ///
  /// - Parameter bytes: All that arrived: what was shown before, and what came since.
  /// - Returns: The head, or nil if it is not all there yet.
  /// - Throws: The rule the request breaks. The parser is spent then.
  mutating func parse(_ bytes: [UInt8]) throws(RequestRejection) -> RequestHead? {
    if !isInFields {
      if !hasBegun { try skipEmptyLines(bytes) }
      try skipMethod(bytes)
      guard let line = try nextLine(bytes) else { return nil }
      try parseRequestLine(bytes, line)
      isInFields = true
      fieldsStart = lineStart
      if takeKnownFields(bytes) { return try finish(bytes) }
      entries.reserveCapacity(16)
      knownFields.beginLines()
    }
    while true {
      if try takeKnownLine(bytes) { continue }
      guard let line = try nextLine(bytes) else { return nil }
      guard !line.isEmpty else { break }
      try parseFieldLine(bytes, line)
      knownFields.passLine()
    }
    let head = try finish(bytes)
    knownFields.keep(bytes, fieldsStart..<position, ofHeadAt: start, entries, notes)
    return head
  }

  /// Takes the fields if they are those of the last request and all there; returns whether they
  /// are.
  private mutating func takeKnownFields(_ bytes: [UInt8]) -> Bool {
    guard knownFields.areNext(in: bytes.span, at: fieldsStart) else { return false }
    (entries, notes) = knownFields.moved(to: fieldsStart, inHeadAt: start)
    notes.compareHost(in: bytes.span, with: knownHost)
    position = fieldsStart + knownFields.count
    lineStart = position
    return true
  }

  /// Takes the next line if it is one of the last request's; returns whether it is.
  private mutating func takeKnownLine(_ bytes: [UInt8]) throws(RequestRejection) -> Bool {
    guard position == lineStart, entries.count < limits.maxHeaderFields,
      let (entry, count) = knownFields.takeLine(in: bytes.span, at: position, ofHeadAt: start),
      position + count <= fieldsStart + limits.maxHeaderBytes
    else { return false }
    try add(entry, in: bytes)
    position += count
    lineStart = position
    return true
  }

  /// Skips CRLFs before the request line (RFC 9112, 2.2), of whose limit they are a part.
  private mutating func skipEmptyLines(_ bytes: [UInt8]) throws(RequestRejection) {
    var next = start
    while next + 1 < bytes.count, bytes[next] == .carriageReturn, bytes[next + 1] == .lineFeed {
      next += 2
      emptyLineBytes += 2
      guard emptyLineBytes <= limits.maxRequestLineBytes else { throw lineTooLong }
    }
    move(to: next)
  }

  /// Moves past as much of the method as has arrived, so that whoever speaks another protocol is
  /// refused at once, and not when his line is too long or too late.
  private mutating func skipMethod(_ bytes: [UInt8]) throws(RequestRejection) {
    let text = bytes.span
    while methodEnd < text.count, text[methodEnd].isTokenCharacter { methodEnd += 1 }
    // A method longer than any there is (RFC 9112, 3).
    guard methodEnd - start <= Limits.maxMethodBytes else { throw .unknownMethod }
    guard methodEnd < text.count else { return }
    // What ends the line, and what no line has, is found when the end of the line is looked for.
    let byte = text[methodEnd]
    guard byte == .space ? methodEnd > start : byte.isForbiddenControl else {
      throw .malformedRequestLine
    }
    // Known before anything else is refused: the refusal of HEAD has no content, either.
    if method == nil { method = Method(bytes[start..<methodEnd]) }
  }

  /// Moves past the next CRLF and returns the range of the line before it, nil if it is not all
  /// there.
  ///
  /// The line has no control characters but HTAB.
  private mutating func nextLine(_ bytes: [UInt8]) throws(RequestRejection) -> Range<Int>? {
    // Looking no further than the limit makes the verdict the same however the bytes arrive.
    let maxLineEnd =
      isInFields
      ? fieldsStart + limits.maxHeaderBytes - 2
      : start + limits.maxRequestLineBytes - emptyLineBytes
    guard position <= maxLineEnd else { throw lineTooLong }
    let end = min(bytes.count, maxLineEnd)
    position = TextScan.firstControl(in: bytes.span, from: position, to: end)
    guard position < bytes.count else { return nil }
    guard bytes[position] == .carriageReturn else {
      if bytes[position] == .lineFeed { throw .bareLineFeed }
      throw bytes[position].isForbiddenControl ? .controlCharacter : lineTooLong
    }
    guard position + 1 < bytes.count else { return nil }
    guard bytes[position + 1] == .lineFeed else { throw .bareCarriageReturn }
    let line = lineStart..<position
    position += 2
    lineStart = position
    return line
  }

  /// What a line that goes on behind the limit is refused for.
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
    guard !bytes[line.lowerBound].isOptionalWhitespace else { throw .foldedField }
    let text = bytes.span
    var nameEnd = TextScan.endOfUsualName(in: text, from: line.lowerBound, to: line.upperBound)
    while nameEnd < line.upperBound, text[nameEnd].isTokenCharacter { nameEnd += 1 }
    guard nameEnd < line.upperBound, bytes[nameEnd] == UInt8(ascii: ":") else {
      let isSpace = nameEnd < line.upperBound && bytes[nameEnd].isOptionalWhitespace
      throw isSpace ? .whitespaceBeforeColon : .malformedFieldLine
    }
    guard nameEnd > line.lowerBound else { throw .malformedFieldLine }
    let name = line.lowerBound..<nameEnd
    let value = trimmedRange(of: text, in: nameEnd + 1..<line.upperBound)
    try add(Fields.Entry(name: relative(name), value: relative(value)), in: bytes)
  }

  /// Adds a field, and notes what it says.
  private mutating func add(
    _ entry: Fields.Entry,
    in bytes: [UInt8]
  ) throws(RequestRejection) {
    entries.append(entry)
    let name = absolute(entry.name)
    guard FieldNotes.mayConcern(name, in: bytes.span) else { return }
    try notes.read(name: bytes[name], value: bytes[absolute(entry.value)], knownHost: knownHost)
  }

  /// An offset range in the copy of the head that the request will keep.
  private func relative(_ range: Range<Int>) -> Range<Int32> {
    Int32(range.lowerBound - start)..<Int32(range.upperBound - start)
  }

  /// The range of the bytes that one in the head stands for.
  private func absolute(_ range: Range<Int32>) -> Range<Int> {
    Int(range.lowerBound) + start..<Int(range.upperBound) + start
  }

  /// Puts the head together, now that all of it is there.
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
      end: position
    )
  }

  /// Takes the target apart and looks up where it leads, as far as that is not known.
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
