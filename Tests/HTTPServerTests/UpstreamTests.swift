import Dispatch
import Glibc
import HTTP
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct `Requests to another server` {
  /// A client of an upstream that waits for what becomes of its requests.
  private struct Caller {
    let upstream: Upstream
    let address: String

    init(port: UInt16, _ change: (inout UpstreamOptions) -> Void = { _ in }) throws {
      var options = UpstreamOptions()
      change(&options)
      upstream = try Upstream(options: options)
      address = "127.0.0.1:\(port)"
    }

    /// Sends a request.
    func send(
      _ method: HTTP.Method,
      _ target: String,
      _ content: OutgoingRequest.Content = .whole([]),
      _ fields: Fields = Fields()
    ) throws -> Call {
      let request = try Request(method: method, target: target, fields: fields)
      let outgoing = OutgoingRequest(forwarding: request, content: content)
      return Call(upstream.send(outgoing, to: address))
    }

    var figures: [String] {
      var writer = MetricsWriter()
      upstream.write(to: &writer)
      return String(decoding: writer.finish(), as: UTF8.self).split(separator: "\n")
        .filter { !$0.hasPrefix("#") }.map(String.init)
    }

    /// Waits until so many connections are open, because an answer comes before its connection is
    /// free; returns false after some seconds.
    func waitForConnections(_ count: Int) -> Bool {
      for _ in 0..<5_000 {
        if figure("connections_open") == count { return true }
        usleep(1_000)
      }
      return false
    }

    func figure(_ name: String) -> Int? {
      figures.first { $0.contains(name) }?.split(separator: " ").last.flatMap { Int($0) }
    }
  }

  /// An exchange, with all that has come of it.
  private final class Call {
    let exchange: any ForwardedExchange
    private(set) var head: ResponseHead?
    private(set) var content: [UInt8] = []
    private let waker = DispatchSemaphore(value: 0)

    init(_ exchange: any ForwardedExchange) {
      self.exchange = exchange
      let waker = waker
      exchange.attach(Waker { waker.signal() })
    }

    var text: String { String(decoding: content, as: UTF8.self) }

    /// Waits until something holds; returns false after some seconds.
    func wait(until isEnough: (Call, ForwardedNews) -> Bool) -> Bool {
      while true {
        let news = exchange.news()
        head = news.head ?? head
        content += news.content
        if isEnough(self, news) { return true }
        guard waker.wait(timeout: .now() + 10) == .success else { return false }
      }
    }

    /// Waits for the end.
    func end() -> ForwardedNews.Ending? {
      var ending: ForwardedNews.Ending?
      _ = wait { _, news in
        ending = news.ending
        return ending != nil
      }
      return ending
    }
  }

  private static func key(_ text: String) -> Fields {
    var fields = Fields()
    fields.append(.idempotencyKey, text)
    return fields
  }

  @Test func `use a connection again`() throws {
    try withServer { server in
      let caller = try Caller(port: server.port)
      defer { caller.upstream.stop() }
      for index in 0..<5 {
        let call = try caller.send(.post, "/a?b=\(index)", .whole(Array("content".utf8)))
        #expect(call.end() == .whole && call.head?.status == .ok)
        #expect(call.text == "POST /a?b=\(index) <content>")
      }
      #expect(caller.figure("connections_open") == 1)
      #expect(caller.figure("answered") == 5)
    }
  }

  @Test func `have content that comes later, in either framing`() throws {
    try withServer { server in
      let caller = try Caller(port: server.port)
      defer { caller.upstream.stop() }
      let size = 3_000_000
      for content in [OutgoingRequest.Content.announced(size), .chunked] {
        let call = try caller.send(.put, "/a", content)
        for _ in 0..<30 { call.exchange.append(ArraySlice(repeating: 0x62, count: size / 30)) }
        call.exchange.finish()
        #expect(call.end() == .whole && call.content.count == size + "PUT /a <>".utf8.count)
        #expect(call.exchange.unsentBytes == 0)
      }
    }
  }

  @Test func `to HEAD, and answers without content, leave the connection usable`() throws {
    let answers = [
      HeldAnswer(.answer(Response(.noContent))), HeldAnswer(.answer(Response(.notModified))),
      HeldAnswer(.begin(Response(.ok)), .chunk([1, 2]), .end),
    ]
    try withServer(handler: LateHandler(answers: answers)) { server in
      let caller = try Caller(port: server.port)
      defer { caller.upstream.stop() }
      let head = try caller.send(.head, "/a")
      #expect(head.end() == .whole && head.head?.announcedBytes == 10 && head.content.isEmpty)
      for (index, status) in [204, 304, 200].enumerated() {
        let call = try caller.send(.get, "/late/\(index)")
        #expect(call.end() == .whole && call.head?.status.code == status)
      }
      #expect(caller.figure("connections_open") == 1)
    }
  }

  @Test func `fail without effect where nobody listens`() throws {
    var port: UInt16 = 0
    try withServer { port = $0.port }
    let caller = try Caller(port: port)
    defer { caller.upstream.stop() }
    #expect(try caller.send(.post, "/a").end() == .undone)
    let outgoing = OutgoingRequest(
      forwarding: try Request(method: .get, target: "/"),
      content: .whole([])
    )
    #expect(Call(caller.upstream.send(outgoing, to: "nowhere")).end() == .undone)
    #expect(caller.figure("unreachable") == 2 && caller.figure("connections_open") == 0)
  }

  @Test func `wait for a connection beyond the number that is made at once`() throws {
    try withServer { server in
      let caller = try Caller(port: server.port) { $0.maxConnecting = 1 }
      defer { caller.upstream.stop() }
      let calls = try (0..<40).map { try caller.send(.get, "/\($0)") }
      for (index, call) in calls.enumerated() {
        #expect(call.end() == .whole && call.text == "GET /\(index) <>")
      }
    }
  }

  @Test func `are not answered in time`() throws {
    let answer = HeldAnswer(.wait(milliseconds: nil))
    try withServer(handler: LateHandler(answers: [answer])) { server in
      let caller = try Caller(port: server.port) { $0.headMilliseconds = 50 }
      defer { caller.upstream.stop() }
      #expect(try caller.send(.get, "/late/0").end() == .unknown)
      #expect(answer.waitForCancel())
    }
  }

  @Test func `are given up with their callers`() throws {
    let answers = [HeldAnswer(.wait(milliseconds: nil)), HeldAnswer(.begin(Response(.ok)))]
    try withServer(handler: LateHandler(answers: answers)) { server in
      let caller = try Caller(port: server.port)
      defer { caller.upstream.stop() }
      for (index, answer) in answers.enumerated() {
        let call = try caller.send(.get, "/late/\(index)")
        #expect(answer.waitForStart())
        call.exchange.cancel()
        #expect(answer.waitForCancel())
      }
      #expect(caller.figure("cancelled") == 2)
    }
  }

  @Test func `pass on that their client sends nothing more`() throws {
    let answer = HeldAnswer(.begin(Response(.ok)), probes: true)
    try withServer(handler: LateHandler(answers: [answer])) { server in
      let caller = try Caller(port: server.port)
      defer { caller.upstream.stop() }
      let call = try caller.send(.get, "/late/0")
      #expect(call.wait { call, _ in call.head != nil })
      call.exchange.clientFinished()
      #expect(call.wait { call, _ in !call.content.isEmpty })
      answer.give(.end)
      #expect(call.end() == .whole)
    }
  }

  @Test func `are cut off with their server`() throws {
    let answers = [
      HeldAnswer(.begin(Response(.ok, body: [1]))), HeldAnswer(.wait(milliseconds: nil)),
    ]
    try withServer(handler: LateHandler(answers: answers)) { server in
      let caller = try Caller(port: server.port)
      defer { caller.upstream.stop() }
      let (begun, silent) = (try caller.send(.get, "/late/0"), try caller.send(.get, "/late/1"))
      #expect(begun.wait { call, _ in call.content == [1] })
      #expect(answers[1].waitForStart())
      server.stop(withinMilliseconds: 0)
      #expect(begun.end() == .cut)
      #expect(silent.end() == .unknown)
    }
  }

  @Test func `slow a server down that nobody reads from`() throws {
    let bulk = BulkHandler(count: 64_000_000)
    let metrics = ServerMetrics()
    try withServer(handler: bulk, metrics: metrics) { server in
      let caller = try Caller(port: server.port)
      defer { caller.upstream.stop() }
      let call = try caller.send(.get, "/a")
      // What is neither sent nor held here is held by the server.
      var held = 0
      while held != metrics.answerBytes || held == 0 {
        held = metrics.answerBytes
        usleep(300_000)
      }
      #expect(held > 48_000_000)
      #expect(call.end() == .whole && call.content.count == 64_000_000)
    }
  }

  @Test func `are refused before their content is complete`() throws {
    let sink = SinkReceiver(maxBytes: 1_000_000, refusedAfter: 10)
    try withServer(handler: LateHandler(answers: [], sink: sink)) { server in
      let caller = try Caller(port: server.port)
      defer { caller.upstream.stop() }
      let call = try caller.send(.post, "/sink", .announced(100_000))
      call.exchange.append(ArraySlice(repeating: 1, count: 20))
      #expect(call.end() == .whole && call.head?.status == .unprocessableContent)
      #expect(caller.waitForConnections(0))
    }
  }
}
