import HTTP
import Testing
import TreeAPI
import TreeEngine
import TreeSessions

@Suite struct `Event streams` {
  private static let accept: [(FieldName, String)] = [(.accept, "text/event-stream")]

  /// Opens a stream and reads its beginning.
  private func stream(
    _ tester: Tester,
    _ query: String = "",
    _ fields: [(FieldName, String)] = []
  ) throws -> Listener {
    let listener = try tester.listen("{s}/changes" + query, Self.accept + fields)
    _ = try listener.beginning()
    return listener
  }

  @Test func `a stream begins with its fields and the reconnection time`() throws {
    let tester = try Tester()
    let listener = try tester.listen("{s}/changes", Self.accept)
    let answer = tester.text(of: try listener.beginning())
    #expect(answer.status == 200 && answer.body.hasPrefix("retry: "))
    #expect(answer.body.contains("\n: ") && answer.body.hasSuffix("\n\n"))
    #expect(
      answer.fields == [
        "Content-Type: text/event-stream; charset=utf-8", "Cache-Control: no-store, no-transform",
        "X-Accel-Buffering: no", "Vary: Accept, Prefer",
      ]
    )
  }

  @Test func `a stream with minimal changes applies the preference`() throws {
    let tester = try Tester()
    let prefer = [(FieldName("Prefer"), "return=minimal")]
    for (query, isHonored) in [("", true), ("?changes=rows", false)] {
      let listener = try tester.listen("{s}/changes" + query, Self.accept + prefer)
      let fields = tester.text(of: try listener.beginning()).fields
      #expect(fields.contains("Preference-Applied: return=minimal") == isHonored)
    }
  }

  @Test func `reconnection times differ between streams`() throws {
    let tester = try Tester()
    let times = try (0..<50).map { _ in
      let listener = try tester.listen("{s}/changes", Self.accept)
      let body = tester.text(of: try listener.beginning()).body
      return try #require(Int(body.dropFirst("retry: ".count).prefix { $0.isNumber }))
    }
    #expect(times.allSatisfy { (1_000...5_000).contains($0) })
    // Fewer than forty different times of four thousand occur once in 10^15 runs.
    #expect(Set(times).count >= 40)
  }

  @Test func `with an interval each event has the net list since the last one`() throws {
    let tester = try Tester()
    let listener = try stream(tester, "?interval=250&since=0")
    func toggle() throws { #expect(try tester.send(.post, "{s}/nodes/box/toggle").status == 200) }
    try toggle()
    #expect(try listener.chunk(at: 1_000).hasPrefix("event: changes\nid: 1\n"))
    let wakes = listener.wakes
    for _ in 0..<4 { try toggle() }
    #expect(listener.wakes == wakes + 1, "one notification arrives, and the wait is known")
    #expect(try listener.wait(at: 1_100) == 150)
    let net = try listener.chunk(at: 1_250)
    #expect(net.hasPrefix("event: changes\nid: 5\n") && net.contains(#""previousRevision":1,"#))
    #expect(net.contains(#""changes":[]"#))
    #expect(try listener.wait(at: 1_250) == 250)
    #expect(try listener.wait(at: 1_600) == 14_650)
    try toggle()
    #expect(try listener.chunk(at: 2_000).hasPrefix("event: changes\nid: 6\n"))
  }

  @Test func `an end does not wait for the interval`() throws {
    let tester = try Tester()
    let listener = try stream(tester, "?interval=60000&since=0")
    #expect(try tester.send(.post, "{s}/nodes/box/toggle").status == 200)
    #expect(try listener.chunk(at: 10).hasPrefix("event: changes\nid: 1\n"))
    #expect(try tester.send(.post, "{s}/nodes/box/toggle").status == 200)
    #expect(try tester.send(.delete, "{s}").status == 204)
    #expect(try listener.chunk(at: 20).hasPrefix("event: end\n"))
    #expect(listener.hasEnded())
  }

  @Test(arguments: ["-1", "60001", "1.5", "x", ""])
  func `an invalid interval is refused`(interval: String) throws {
    let tester = try Tester()
    let answer = try tester.send(.get, "{s}/changes?interval=\(interval)", "", Self.accept)
    #expect(answer.status == 400 && answer.code == "invalid-request", "\(answer.body)")
  }

  @Test func `an interval without a stream is refused`() throws {
    let answer = try Tester().send(.get, "{s}/changes?since=0&interval=250")
    #expect(answer.status == 400 && answer.body.contains("text/event-stream"))
  }

  @Test func `each revision is an event with its id, on one line`() throws {
    let tester = try Tester()
    let listener = try stream(tester, "?include=rows")
    #expect(try listener.wait() == 15_000)
    #expect(try tester.send(.post, "{s}/nodes/box/expand").status == 200)
    #expect(listener.wakes > 0)
    let body = "{\"object\":{\"a\":\n1,\r\n\"b\":\"\\n\"}}"
    #expect(try tester.send(.put, "{s}/nodes/new", body).status == 201)
    let text = try listener.chunk()
    let events = text.split(separator: "\n\n")
    #expect(events.count == 2 && text.hasSuffix("\n\n"))
    for (number, event) in events.enumerated() {
      let lines = event.split(separator: "\n")
      #expect(lines.count == 3 && lines[0] == "event: changes", "\(event)")
      #expect(lines[1] == "id: \(number + 1)")
      #expect(lines[2].contains(#""previousRevision":\#(number),"revision":\#(number + 1),"#))
    }
    #expect(text.contains(#""object":{"a": 1,  "b":"\n"}"#))
    #expect(try listener.wait() == 15_000)
  }

  @Test(arguments: [
    ("?since=1", nil, 1), ("?since=3", "1", 1), ("", "2", 2), ("?since=2", nil, 2), ("", "0", 0),
  ])
  func `missed changes arrive as one event`(query: String, last: String?, since: Int) throws {
    let tester = try Tester()
    for path in ["box/expand", "fruit/collapse", "fruit/expand"] {
      #expect(try tester.send(.post, "{s}/nodes/\(path)").status == 200)
    }
    let fields = last.map { [(FieldName("Last-Event-ID"), $0)] } ?? []
    let text = try stream(tester, query, fields).chunk()
    #expect(text.hasPrefix("event: changes\nid: 3\ndata: "))
    #expect(text.contains(#""previousRevision":\#(since),"revision":3,"#))
    #expect(text.split(separator: "\n\n").count == 1)
  }

  @Test func `an expired revision begins with a reset`() throws {
    var limits = SessionLimits()
    limits.history = .none
    let tester = try Tester(limits: limits)
    #expect(try tester.send(.post, "{s}/nodes/box/expand").status == 200)
    let listener = try stream(tester, "?since=0")
    let text = tester.text(of: Response(.ok, body: Array(try listener.chunk().utf8))).body
    #expect(
      text == """
        event: reset\nid: 1\ndata: {"session":"S","revision":1,"rowCount":11}\n\n
        """
    )
    #expect(try tester.send(.post, "{s}/nodes/box/collapse").status == 200)
    #expect(try listener.chunk().hasPrefix("event: changes\nid: 2\n"))
  }

  @Test(arguments: ["?since=-1", "?since=x", "?since="])
  func `an invalid revision is refused before the stream`(query: String) throws {
    let answer = try Tester().send(.get, "{s}/changes" + query, "", Self.accept)
    #expect(answer.status == 400 && answer.code == "invalid-request", "\(answer.body)")
  }

  /// Tests ids that no event had. A browser does not retry after a refusal, and after a restored
  /// backup its id may be above the current one.
  @Test(arguments: ["2", "99", "18446744073709551615", "x", "-1", "01", ""])
  func `an id that no event had begins with a reset`(last: String) throws {
    let tester = try Tester()
    #expect(try tester.send(.post, "{s}/nodes/box/expand").status == 200)
    let listener = try stream(tester, "", [(FieldName("Last-Event-ID"), last)])
    #expect(try tester.send(.post, "{s}/nodes/box/collapse").status == 200)
    #expect(try listener.chunk().hasPrefix("event: reset\nid: 2\n"))
    #expect(try tester.send(.post, "{s}/nodes/box/expand").status == 200)
    #expect(try listener.chunk().hasPrefix("event: changes\nid: 3\n"))
  }

  @Test func `a stream without events has heartbeats`() throws {
    var options = TreeAPIOptions()
    options.heartbeatSeconds = 3
    let tester = try Tester(options: options)
    let listener = try stream(tester)
    #expect(try listener.wait(at: 1_000) == 2_000)
    #expect(try listener.chunk(at: 3_000) == ": heartbeat\n\n")
    #expect(try listener.wait(at: 3_000) == 3_000)
    #expect(try tester.send(.post, "{s}/nodes/box/expand").status == 200)
    #expect(try listener.chunk(at: 5_000).hasPrefix("event: changes"))
    #expect(try listener.wait(at: 6_000) == 2_000)
    listener.answer.clientFinished()
    #expect(try listener.chunk(at: 6_500) == ": heartbeat\n\n")
    #expect(try listener.wait(at: 6_500) == 3_000)
  }

  @Test func `a stream ends with an end event when its session or the service ends`() throws {
    let tester = try Tester()
    let first = try stream(tester)
    let second = try stream(tester)
    first.answer.drain()
    #expect(
      try first.chunk() == """
        event: end\ndata: {"code":"shutting-down","detail":"The service stops; follow again in a \
        moment, with the id of the last event."}\n\n
        """
    )
    #expect(first.hasEnded())
    #expect(try second.wait() == 15_000)
    #expect(try tester.send(.post, "{s}/nodes/box/expand").status == 200)
    #expect(try tester.send(.delete, "{s}").status == 204)
    #expect(second.wakes > 0)
    let events = try second.chunk().split(separator: "\n\n")
    #expect(events.count == 2 && events[0].hasPrefix("event: changes\nid: 1\n"))
    #expect(events[1].hasPrefix("event: end\ndata: {\"code\":\"session-not-found\","))
    #expect(second.hasEnded())
    // A browser that reconnects is refused, and does not retry.
    let again = try tester.send(.get, "{s}/changes", "", Self.accept)
    #expect(again.status == 404 && again.code == "session-not-found")
  }

  @Test func `a large event arrives in chunks`() throws {
    let tester = try Tester()
    let listener = try stream(tester, "?include=rows")
    let object = String(repeating: "x", count: 200_000)
    #expect(try tester.send(.put, "{s}/nodes/new", "{\"object\":\"\(object)\"}").status == 201)
    var pieces: [String] = []
    while pieces.last?.hasSuffix("\n\n") != true { pieces.append(try listener.chunk()) }
    #expect(pieces.count == 4 && pieces.allSatisfy { $0.utf8.count <= 65_536 })
    #expect(pieces.joined().contains(object))
  }

  @Test func `closed streams no longer count`() throws {
    var limits = SessionLimits()
    limits.maxFollowers = 1
    let tester = try Tester(limits: limits)
    for _ in 0..<3 {
      let listener = try stream(tester)
      let refused = try tester.send(.get, "{s}/changes", "", Self.accept)
      #expect(refused.code == "overloaded")
      listener.answer.cancel()
    }
  }

  @Test(arguments: [
    ("*/*", false), ("application/json", false), ("text/*", true),
    ("text/event-stream;q=0.5, application/json", false),
    ("application/json;q=0.5, text/event-stream", true),
    ("application/json;q=0.2, text/event-stream;q=0.25", true),
    ("*/*;q=0.3, text/event-stream;q=0.299", false),
  ])
  func `Accept chooses between a list and a stream`(accept: String, isStream: Bool) throws {
    let tester = try Tester()
    let request = try tester.request(.get, "{s}/changes?since=0", "", [(.accept, accept)])
    let isLate = if case .later = tester.api.respond(to: request) { true } else { false }
    #expect(isLate == isStream)
  }
}
