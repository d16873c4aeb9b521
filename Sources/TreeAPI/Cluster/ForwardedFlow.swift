import HTTP
import TreeDomain

/// The response of another instance on its way to the client.
struct ForwardedFlow {
  /// True if this instance stops, so that a stream of events must end soon.
  var isDraining = false
  /// True if the other instance wants the content of the request.
  private(set) var mayProceed = false
  /// True if the head was passed on, and a stream follows.
  private(set) var hasBegun = false
  /// True if the stream was ended here.
  private(set) var isCutOff = false
  /// The end of the exchange, if it has come.
  private(set) var ending: ForwardedNews.Ending?
  private var head: ResponseHead?
  /// The content that is not passed on yet.
  private var content: [UInt8] = []
  /// True if the content that was passed on ends with the end of an event.
  private var isBetweenEvents = false

  /// Accepts the news of the exchange.
  mutating func accept(_ news: ForwardedNews) {
    mayProceed = mayProceed || news.mayProceed
    if let head = news.head { self.head = head }
    if content.isEmpty { content = news.content } else { content += news.content }
    ending = news.ending ?? ending
  }

  /// True if the head has come.
  var hasHead: Bool { head != nil }

  /// The response, if it is whole and nothing of it was passed on.
  var response: Response? {
    guard ending == .whole, !hasBegun, let head else { return nil }
    return Response(relaying: head, content)
  }

  /// Returns the first step, or nil if the head has not come.
  ///
  /// A response that was cut off before any of it was passed on counts as missing.
  mutating func begin() -> LateStep? {
    // A chunked response stays a stream, even if all of it has arrived.
    if let response, head?.announcesChunks != true { return .answer(response) }
    guard let head, ending == nil || ending == .whole else { return nil }
    hasBegun = true
    return .begin(Response(relaying: head, takeContent()))
  }

  /// Returns the next step of a stream.
  mutating func next() -> LateStep {
    if isCutOff { return .end }
    if !content.isEmpty { return .chunk(takeContent()) }
    switch ending {
    case .whole: return .end
    case nil:
      guard isDraining, isOfEvents, isBetweenEvents else { return .wait(milliseconds: nil) }
      isCutOff = true
      var farewell: [UInt8] = []
      farewell.append(endOfStream: ServiceError.shuttingDown)
      return .chunk(farewell)
    default: return .abort
    }
  }

  private mutating func takeContent() -> [UInt8] {
    defer { content = [] }
    isBetweenEvents = content.suffix(2) == [0x0A, 0x0A]
    return content
  }

  private var isOfEvents: Bool {
    head?.fields.value(.contentType)?.starts(with: MediaType.events.name.utf8) ?? false
  }
}

extension Response {
  /// Creates a response with the head of another server, and with content or its beginning.
  fileprivate init(relaying head: ResponseHead, _ content: [UInt8]) {
    self.init(head.status, fields: head.fields.passedOn, body: content)
    origin = .relayed(length: head.announcedBytes)
  }
}
