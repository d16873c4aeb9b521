/// A reader of one response with its content, for input in pieces of any size.
///
/// The owner passes input and takes events; the reader uses no socket. Any split of the input gives
/// the same events, if adjacent pieces of content are joined.
package struct ResponseReader: Sendable {
  /// A part of the response.
  package enum Event: Sendable {
    /// An interim response with status 100, after which the server wants the request's content.
    case proceed
    /// The head of the response.
    case head(ResponseHead)
    /// A piece of the content, at least one byte.
    case content([UInt8])
    /// The end of the response.
    case end
  }

  private enum Phase: Sendable {
    case head
    case content(ResponseHead.Framing)
    case ended
  }

  /// The maximum number of interim responses.
  static let maxInterim = 16

  private let limits: Limits
  private let isToHead: Bool
  private var parser: ResponseParser
  private var phase = Phase.head
  private var input: [UInt8] = []
  /// The offset of the first unprocessed byte of `input`.
  private var inputStart = 0
  private var isInputOver = false
  private var interimCount = 0
  private var keepsAlive = true
  /// The bytes of content that are still missing, if their number is known.
  private var missing = 0
  private var decoder: ChunkedDecoder
  /// The fault that follows the content read so far.
  ///
  /// It is thrown after that content is returned.
  private var fault: ResponseFault?
  /// True if a byte of the response, or of an interim one, has arrived.
  package private(set) var hasBegun = false

  /// Creates a reader of the next response on a connection.
  ///
  /// - Parameters:
  ///   - limits: The limits of the head and of chunks. Content has no limit.
  ///   - isToHead: True if the request was HEAD, so that the response has no content.
  package init(limits: Limits, isToHead: Bool) {
    self.limits = limits
    self.isToHead = isToHead
    parser = ResponseParser(limits: limits, isToHead: isToHead)
    decoder = ChunkedDecoder(limits: limits, maxContentBytes: .max)
  }

  /// True if the connection can be used for another request.
  ///
  /// It can if the response has ended and keeps the connection alive, and the server has neither
  /// closed the connection nor sent anything else.
  package var canContinue: Bool {
    guard case .ended = phase else { return false }
    return keepsAlive && !isInputOver && inputStart == input.count
  }

  /// Accepts bytes from the server.
  package mutating func receive(_ bytes: ArraySlice<UInt8>) {
    hasBegun = hasBegun || !bytes.isEmpty
    if inputStart == input.count, inputStart > 0 {
      input.removeAll(keepingCapacity: true)
      inputStart = 0
    }
    input.append(contentsOf: bytes)
  }

  /// Records that the server sends nothing more.
  package mutating func finishInput() { isInputOver = true }

  /// Returns the next event, or nil if more input is needed or the response has ended.
  ///
  /// - Throws: The rule that the response breaks. Content before the fault is returned first.
  package mutating func next() throws(ResponseFault) -> Event? {
    if let fault { throw fault }
    switch phase {
    case .head: return try nextHead()
    case .content(let framing): return try nextContent(framing)
    case .ended: return nil
    }
  }

  private mutating func nextHead() throws(ResponseFault) -> Event? {
    while let head = try parseHead() {
      guard head.isInterim else {
        keepsAlive = head.keepsAlive && head.framing != .untilClose
        if case .length(let length) = head.framing { missing = length }
        phase = .content(head.framing)
        return .head(head)
      }
      interimCount += 1
      guard interimCount <= Self.maxInterim else {
        throw .tooManyInterim(limit: Self.maxInterim)
      }
      input.removeSubrange(..<parser.position)
      parser = ResponseParser(limits: limits, isToHead: isToHead)
      if head.status.code == 100 { return .proceed }
    }
    if isInputOver { throw .truncated }
    return nil
  }

  private mutating func parseHead() throws(ResponseFault) -> ResponseHead? {
    guard let head = try parser.parse(input) else { return nil }
    if !head.isInterim { inputStart = parser.position }
    return head
  }

  private mutating func nextContent(_ framing: ResponseHead.Framing) throws(ResponseFault) -> Event?
  {
    var content: [UInt8] = []
    var isWhole = false
    switch framing {
    case .none: isWhole = true
    case .untilClose:
      content = take(input.count - inputStart)
      isWhole = isInputOver
    case .length:
      content = take(min(missing, input.count - inputStart))
      missing -= content.count
      isWhole = missing == 0
    case .chunked:
      do throws(RequestRejection) {
        isWhole = try decoder.decode(input, from: &inputStart, into: &content)
      } catch {
        fault = .framing(error)
      }
    }
    if fault == nil, !isWhole, isInputOver { fault = .truncated }
    if !content.isEmpty { return .content(content) }
    if let fault { throw fault }
    guard isWhole else { return nil }
    phase = .ended
    return .end
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    defer { inputStart += count }
    return Array(input[inputStart..<inputStart + count])
  }
}
