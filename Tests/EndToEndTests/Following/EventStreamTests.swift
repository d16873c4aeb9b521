import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeEngine
import TreeSessions

/// Tests of event streams.
struct EventStreamTests {
  @Test func `each revision of a burst is one event, in order`() throws {
    var limits = SessionLimits()
    limits.maxQueuedEvents = 10_000
    try withServer(TreeAPI(service: SessionStore(limits: limits))) { port in
      let session = try RemoteSession(SocketAccess(port: port), "{}")
      let streams = try (0..<3).map { _ in try EventStreamClient(port: port, session.path) }
      let puts = (1...200).map { Ask(.put, "\(session.path)/nodes/\($0)", "{}") }
      let writer = try BlockingConnection(port: port)
      try writer.send(puts.flatMap(\.bytes))
      for stream in streams {
        let events = try stream.events(upTo: 200)
        #expect(events.map(\.id) == (1...200).map(String.init))
        #expect(events.allSatisfy { $0.type == "changes" })
        for (number, event) in zip(1..., events) {
          let data = try event.json()
          #expect(data["previousRevision"]?.integer == number - 1)
          #expect(data["revision"]?.integer == number)
          #expect(data["changes"]?.elements?.map { $0["key"]?.string } == ["\(number)"])
        }
      }
      for _ in puts { #expect(try writer.receive().status == 201) }
    }
  }

  /// An event has the same data as the writer's answer, in the form that the stream asked for.
  @Test func `streams of one session have their own options`() throws {
    let queries = [
      "changes=rows", "changes=ranges", "include=rows", "include=rows&fields=key,depth&limit=2",
    ]
    try withServer { port in
      let session = try RemoteSession(SocketAccess(port: port), Sample.options)
      let streams = try queries.map { try EventStreamClient(port: port, session.path, query: $0) }
      let changes = [
        #"{"op":"insert","key":"a","children":[{"key":"b"},{"key":"c"},{"key":"d"}]}"#,
        #"{"op":"expandAll"}"#, #"{"op":"move","key":"box","parent":"a"}"#,
        #"{"op":"select","subtree":"a"}"#, #"{"op":"remove","key":"a"}"#,
      ]
      for (index, change) in changes.enumerated() {
        let batch = Array("{\"operations\":[\(change)]}".utf8)
        let expected = try queries.map { query in
          let answer = try session.batch(batch, query: query + "&dryRun=true").body
          // An event also has a member for the origin of the changes.
          return String(decoding: answer, as: UTF8.self)
            .replacing(#","format":"#, with: #","origin":"own","format":"#, maxReplacements: 1)
        }
        try session.apply("[\(change)]")
        for (stream, expected) in zip(streams, expected) {
          let event = try #require(try stream.next())
          #expect(event.id == "\(index + 1)" && event.data == expected)
        }
      }
    }
  }

  @Test func `missed changes arrive as one event, from Last-Event-ID or else since`() throws {
    try withServer { port in
      let session = try RemoteSession(SocketAccess(port: port), "{}")
      for key in ["a", "b", "c"] { try session.apply(#"[{"op":"insert","key":"\#(key)"}]"#) }
      try session.apply(#"[{"op":"remove","key":"b"}]"#)
      let cases: [(query: String, last: Int?, keys: [String])] = [
        ("since=0", nil, ["a", "c"]), ("since=2", nil, ["b", "c"]), ("", 1, ["c"]),
        // The last event id takes precedence over `since`.
        ("since=0", 3, ["b"]),
      ]
      for (query, last, keys) in cases {
        let stream = try EventStreamClient(port: port, session.path, query: query, lastID: last)
        let event = try #require(try stream.next())
        let data = try event.json()
        #expect(event.id == "4" && event.type == "changes")
        #expect(stream.retry.map { (1_000...5_000).contains($0) } == true)
        #expect(data["previousRevision"]?.integer == last ?? Int(query.suffix(1)))
        #expect(data["revision"]?.integer == 4)
        let changed = try #require(data["changes"]?.elements).compactMap { $0["key"]?.string }
        #expect(Set(changed) == Set(keys), "\(query) \(last as Int?): \(event.data)")
      }
    }
  }

  @Test func `a stream from a revision above the current one begins with a reset`() throws {
    try withServer { port in
      let access = SocketAccess(port: port)
      let session = try RemoteSession(access, "{}")
      let stream = try EventStreamClient(port: port, session.path, query: "since=1")
      let reset = try #require(try stream.next())
      #expect(reset.type == "reset" && reset.id == "0")
      let plain = try session.send(Ask(.get, "/changes?since=1&wait=9"))
      try expectProblem(plain, 410, "history-expired", ["revision": "0", "rowCount": "0"])
      try session.apply(#"[{"op":"insert","key":"a"}]"#)
      let event = try #require(try stream.next())
      #expect(event.type == "changes" && event.id == "1")
      let events = [(name: "Accept", value: "text/event-stream")]
      let gone = Ask(.get, "/v1/sessions/s_gone/changes", fields: events)
      try expectProblem(try access.send(gone), 404, "session-not-found")
    }
  }

  @Test func `a stream from an expired revision begins with a reset and continues`() throws {
    var limits = SessionLimits()
    limits.history.commits = 4
    try withServer(TreeAPI(service: SessionStore(limits: limits))) { port in
      let session = try RemoteSession(SocketAccess(port: port), "{}")
      for key in 1...20 { try session.apply(#"[{"op":"insert","key":"\#(key)"}]"#) }
      let stream = try EventStreamClient(port: port, session.path, query: "since=3")
      let reset = try #require(try stream.next())
      #expect(reset.type == "reset" && reset.id == "20")
      let data = try reset.json()
      #expect(data.memberNames == ["session", "revision", "rowCount"])
      #expect(data["revision"]?.integer == 20 && data["rowCount"]?.integer == 20)
      try session.apply(#"[{"op":"remove","key":"7"}]"#)
      let event = try #require(try stream.next())
      #expect(event.type == "changes" && event.id == "21")
      #expect(try event.json()["previousRevision"]?.integer == 20)
      let asked = try session.send(Ask(.get, "/changes?since=3&wait=9"))
      try expectProblem(asked, 410, "history-expired", ["revision": "21", "rowCount": "19"])
    }
  }

  @Test func `a stream without events has heartbeats`() throws {
    var options = TreeAPIOptions()
    options.heartbeatSeconds = 1
    try withServer(TreeAPI(service: SessionStore(), options: options)) { port in
      let session = try RemoteSession(SocketAccess(port: port), "{}")
      let stream = try EventStreamClient(port: port, session.path)
      while stream.comments.count(where: { $0.contains("heartbeat") }) < 2 { try stream.read() }
      try session.apply(#"[{"op":"insert","key":"a"}]"#)
      #expect(try stream.next()?.id == "1")
    }
  }

  @Test(arguments: ["session", "tree"])
  func `a stream of a deleted session or tree ends with an end event`(deleted: String) throws {
    try withServer { port in
      let access = SocketAccess(port: port)
      #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"t"}"#)).status == 201)
      let session = try RemoteSession(access, #"{"tree":"t"}"#)
      let other = try RemoteSession(access, #"{"tree":"t"}"#)
      let streams = try [session, session, other].map {
        try EventStreamClient(port: port, $0.path)
      }
      try session.apply(#"[{"op":"insert","key":"a"}]"#)
      for stream in streams { #expect(try stream.next()?.id == "1") }
      let path = deleted == "tree" ? "/v1/trees/t" : session.path
      #expect(try access.send(Ask(.delete, path)).status == 204)
      let code = deleted == "tree" ? "tree-not-found" : "session-not-found"
      func expectEnd(of stream: EventStreamClient) throws {
        let end = try #require(try stream.next())
        #expect(end.type == "end" && end.id == "1", "the id is that of the last change")
        let data = try end.json()
        #expect(data.memberNames == ["code", "detail"] && data["code"]?.string == code)
        #expect(try stream.next() == nil)
      }
      for stream in streams.prefix(2) { try expectEnd(of: stream) }
      let events = [(name: "Accept", value: "text/event-stream")]
      let again = Ask(.get, session.path + "/changes", fields: events)
      try expectProblem(try access.send(again), 404, "session-not-found")
      if deleted == "session" {
        try other.apply(#"[{"op":"remove","key":"a"}]"#)
        #expect(try streams[2].next()?.id == "2")
      } else {
        try expectEnd(of: streams[2])
        try expectProblem(try other.send(Ask(.get, "/rows")), 404, "session-not-found")
      }
    }
  }
}
