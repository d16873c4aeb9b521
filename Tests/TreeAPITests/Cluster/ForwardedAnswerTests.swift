import HTTP
import Testing
import TreeSessions

@testable import TreeAPI

/// Answers of other instances, step by step.
@Suite struct `The answer of another instance` {
  private let forwarder = FakeForwarder()
  private let placement = OnePlace(.at("other:1"))
  private let handler: ClusterHandler

  init() throws {
    handler = ClusterHandler(
      api: TreeAPI(service: SessionStore()),
      placement: placement,
      forwarder: forwarder,
      secret: try #require(ClusterSecret("0123456789abcdef".utf8))
    )
  }

  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
  private static let events =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

  private func listen(
    _ method: HTTP.Method,
    _ target: String,
    _ body: String = "",
    _ fields: [(FieldName, String)] = []
  ) throws -> Listener {
    let request = try Request(
      method: method,
      target: target,
      fields: fields.fields,
      body: Array(body.utf8)
    )
    return try Listener(handler.respond(to: request))
  }

  private static func status(_ step: LateStep) -> Int? {
    switch step {
    case .answer(let response), .begin(let response): response.status.code
    default: nil
    }
  }

  private static func isWait(_ step: LateStep) -> Bool {
    if case .wait = step { true } else { false }
  }

  private static func text(_ step: LateStep) -> String? {
    switch step {
    case .answer(let response), .begin(let response):
      String(decoding: response.body, as: UTF8.self)
    case .chunk(let bytes): String(decoding: bytes, as: UTF8.self)
    default: nil
    }
  }

  @Test func `is asked for with the address of the client, which only instances tell`() throws {
    let forged = FieldName("Tree-Client")
    let request = try Request(
      method: .get,
      target: "/v1/trees/t",
      fields: [(forged, "10.0.0.9")].fields,
      remote: "10.0.0.1"
    )
    _ = try Listener(handler.respond(to: request))
    let head = forwarder.exchanges[0].head
    #expect(head.contains("Tree-Client: 10.0.0.1\r\n") && !head.contains("10.0.0.9"))
    #expect(handler.client(of: request.fields) == nil)
    let hop = [(FieldName("Tree-Hop"), "0123456789abcdef"), (forged, "10.0.0.1")]
    #expect(handler.client(of: hop.fields) == "10.0.0.1")
    #expect(handler.client(of: [hop[0]].fields) == nil)
  }

  @Test func `is asked for with the secret and without what is for this connection`() throws {
    _ = try listen(
      .post,
      "/v1/trees/t/batch?dryRun=true",
      "{}",
      [
        (.host, "trees.example"), (.connection, "X-Own"), (FieldName("X-Own"), "1"),
        (FieldName("TE"), "trailers"), (.authorization, "Bearer x"), (.expect, "100-continue"),
        (.acceptEncoding, "gzip"), (.ifMatch, "\"1\""), (.contentType, "application/json"),
      ]
    )
    let exchange = forwarder.exchanges[0]
    #expect(exchange.address == "other:1" && exchange.body == "{}")
    #expect(
      exchange.head == """
        POST /v1/trees/t/batch?dryRun=true HTTP/1.1\r
        Host: trees.example\r
        Authorization: Bearer x\r
        Accept-Encoding: gzip\r
        If-Match: "1"\r
        Content-Type: application/json\r
        Tree-Hop: 0123456789abcdef\r
        Content-Length: 2\r
        \r

        """
    )
  }

  @Test func `is waited for as long as the tree is there`() throws {
    let listener = try listen(.get, "/v1/trees/t")
    for seconds in 0..<200 { #expect(Self.isWait(listener.step(at: seconds * 1_000))) }
    forwarder.exchanges[0].answer(Self.ok)
    #expect(Self.status(listener.step(at: 200_000)) == 200)
    #expect(forwarder.exchanges.count == 1 && forwarder.exchanges[0].notes.isEmpty)
  }

  @Test func `is asked for elsewhere if the tree has moved and nothing comes`() throws {
    let listener = try listen(.get, "/v1/trees/t")
    #expect(Self.isWait(listener.step()))
    placement.move(to: .at("third:1"))
    #expect(Self.isWait(listener.step(at: 1_000)))
    #expect(Self.isWait(listener.step(at: 5_999)))
    #expect(Self.isWait(listener.step(at: 6_000)))
    #expect(forwarder.exchanges.map(\.address) == ["other:1", "third:1"])
    #expect(forwarder.exchanges[0].notes == ["cancel"])
    forwarder.exchanges[1].answer(Self.ok)
    #expect(Self.status(listener.step(at: 6_001)) == 200)
  }

  @Test func `is not asked for in a list while trees are nowhere`() throws {
    placement.move(to: .nowhere(retryAfter: 1))
    for target in ["/v1/trees", "/v1/trees?limit=2"] {
      let request = try Request(method: .get, target: target, fields: Fields(), body: [])
      guard case .response(let response) = handler.respond(to: request) else {
        Issue.record("a list was begun")
        continue
      }
      #expect(response.status == .serviceUnavailable)
    }
    placement.move(to: .at("other:1"))
    _ = try listen(.get, "/v1/trees")
    #expect(forwarder.exchanges.map(\.address) == ["other:1", "third:1"])
  }

  @Test func `is given here if the tree has moved here`() throws {
    let listener = try listen(.get, "/v1/trees/t")
    placement.move(to: .here)
    forwarder.exchanges[0].end(.unknown)
    #expect(Self.status(listener.step()) == 404)
  }

  @Test(
    arguments: [
      (ForwardedNews.Ending.undone, nil, 503), (.unknown, nil, 502), (.unknown, "key", 502),
      (.cut, nil, 502),
    ] as [(ForwardedNews.Ending, String?, Int)]
  )
  func `to a change is reported missing`(
    ending: ForwardedNews.Ending,
    key: String?,
    status: Int
  ) throws {
    let fields = key.map { [(FieldName.idempotencyKey, $0)] } ?? []
    let listener = try listen(.post, "/v1/trees/t/batch", "{}", fields)
    forwarder.exchanges[0].end(ending)
    #expect(Self.status(listener.step()) == status)
  }

  @Test(
    arguments: [(ForwardedNews.Ending.undone, nil), (.unknown, "key")]
      as [(ForwardedNews.Ending, String?)]
  )
  func `to a change is asked for again where that does no harm`(
    ending: ForwardedNews.Ending,
    key: String?
  ) throws {
    let fields = key.map { [(FieldName.idempotencyKey, $0)] } ?? []
    let listener = try listen(.post, "/v1/trees/t/batch", "{}", fields)
    placement.move(to: .at("third:1"))
    forwarder.exchanges[0].end(ending)
    #expect(Self.isWait(listener.step()))
    #expect(forwarder.exchanges[1].address == "third:1" && forwarder.exchanges[1].body == "{}")
  }

  @Test func `to a change is not asked for again if it may have been made`() throws {
    let listener = try listen(.post, "/v1/trees/t/batch", "{}")
    placement.move(to: .at("third:1"))
    forwarder.exchanges[0].end(.unknown)
    #expect(Self.status(listener.step()) == 502 && forwarder.exchanges.count == 1)
  }

  @Test func `is asked for no more than three times`() throws {
    let listener = try listen(.get, "/v1/trees/t")
    for place in ["third:1", "other:1", "third:1"] {
      placement.move(to: .at(place))
      forwarder.exchanges[forwarder.exchanges.count - 1].end(.undone)
      if forwarder.exchanges.count < 3 { #expect(Self.isWait(listener.step())) }
    }
    #expect(Self.status(listener.step()) == 503 && forwarder.exchanges.count == 3)
  }

  @Test func `is passed on as it comes, and ends as it ends`() throws {
    for ending in [ForwardedNews.Ending.whole, .cut] {
      let listener = try listen(.get, "/v1/trees/t/export")
      let exchange = forwarder.exchanges[forwarder.exchanges.count - 1]
      exchange.answer(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"1\"\r\n\r\n2\r\nab\r\n"
      )
      let begin = listener.step()
      #expect(Self.text(begin) == "ab" && Self.isWait(listener.step()))
      exchange.change { $0.news.content = [0x63] }
      #expect(Self.text(listener.step()) == "c" && Self.isWait(listener.step()))
      exchange.end(ending)
      switch (listener.step(), ending) {
      case (.end, .whole), (.abort, .cut): break
      default: Issue.record("ended in another way")
      }
    }
  }

  @Test func `ends between two events when this instance stops`() throws {
    let accept = [(FieldName.accept, "text/event-stream"), (.acceptEncoding, "gzip")]
    let listener = try listen(.get, "/v1/sessions/s/changes", "", accept)
    let exchange = forwarder.exchanges[0]
    #expect(!exchange.head.contains("gzip"))
    exchange.answer(Self.events + "7\r\ndata: 1\r\n")
    #expect(Self.text(listener.step()) == "data: 1")
    listener.answer.drain()
    #expect(Self.isWait(listener.step()))
    exchange.change { $0.news.content = [0x0A, 0x0A] }
    #expect(Self.text(listener.step()) == "\n\n")
    #expect(Self.text(listener.step())?.hasPrefix("event: end\ndata: ") == true)
    #expect(exchange.notes == ["cancel"])
    guard case .end = listener.step() else { return #expect(Bool(false), "a stream that ends") }
  }

  @Test func `that waits for changes is asked for again when this instance stops`() throws {
    let listener = try listen(.get, "/v1/sessions/s/changes?since=1&wait=30&changes=rows")
    #expect(Self.isWait(listener.step()))
    listener.answer.drain()
    #expect(forwarder.exchanges[0].notes == ["cancel"])
    let head = forwarder.exchanges[1].head
    #expect(head.hasPrefix("GET /v1/sessions/s/changes?since=1&changes=rows HTTP/1.1\r\n"))
    forwarder.exchanges[1].answer(Self.ok)
    #expect(Self.status(listener.step()) == 200)
  }

  @Test func `is given up with its client`() throws {
    let listener = try listen(.get, "/v1/trees/t")
    listener.answer.clientFinished()
    listener.answer.cancel()
    #expect(forwarder.exchanges[0].notes == ["clientFinished", "cancel"])
  }
}
