import HTTP
import TestSupport
import Testing

/// The memory that the service counts, and its behaviour at the limit.
struct MemoryTests {
  @Test func `the counted memory of keys and objects matches the process`() throws {
    let service = try MemoryService()
    let session = try RemoteSession(service.access, "{}")
    try service.expectGrowth(atLeast: 60 << 20) {
      let object = String(repeating: "x", count: 1_000_000)
      for number in 0..<64 {
        try session.apply(#"[{"op":"insert","key":"k\#(number)","object":"\#(object)"}]"#)
      }
    }
  }

  @Test func `the counted memory of filtered and ordered rows matches the process`() throws {
    let service = try MemoryService()
    try service.makeTree(nodes: 100_000)
    // The first sessions reuse memory that the import has freed.
    for _ in 0..<3 { #expect(try service.makeSession().status == 201) }
    try service.expectGrowth(atLeast: 50 << 20) {
      for _ in 0..<8 {
        let session = try service.makeSession()
        #expect(session.status == 201)
      }
    }
  }

  @Test func `at the limit, new sessions are refused until one is deleted`() throws {
    let service = try MemoryService("--max-memory-bytes", "67108864")
    try service.makeTree(nodes: 30_000)
    var sessions: [String] = []
    var followers: [BlockingConnection] = []
    var refusal: Answer?
    let start = try service.program.residentBytes()
    for _ in 0..<40 where refusal == nil {
      let answer = try service.makeSession()
      if answer.status == 201 {
        sessions.append(try #require(answer["Location"]))
        // A follower keeps the session in use.
        let stream = Ask(
          .get,
          sessions[sessions.count - 1] + "/changes",
          fields: [("Accept", "text/event-stream")]
        )
        let follower = try BlockingConnection(port: service.port)
        try follower.send(stream.bytes)
        #expect(try follower.receiveHead().status == 200)
        followers.append(follower)
      } else {
        refusal = answer
      }
    }
    let refused = try #require(refusal)
    #expect(refused.status == 503 && refused["Retry-After"] != nil, "\(refused.text)")
    #expect(try refused.json()["code"]?.string == "overloaded")
    let limit = try refused.json()["limit"]?.integer
    #expect(limit == 67_108_864 || limit == 33_554_432)
    #expect(!sessions.isEmpty)
    #expect(try service.program.residentBytes() - start < 67_108_864)
    for session in sessions {
      #expect(try service.access.send(Ask(.get, session + "/rows?limit=10")).status == 200)
    }
    let removal = Ask(.delete, sessions[0])
    #expect(try service.access.send(removal).status == 204)
    #expect(try service.makeSession().status == 201)
    #expect(service.program.isRunning && followers.count == sessions.count)
  }

  /// A change that is prepared on a copy of the tree must not put sessions of the tree to sleep.
  @Test(arguments: [false, true])
  func `at the limit, each session keeps its own rows`(isPatched: Bool) throws {
    let service = try MemoryService("--max-memory-bytes", "67108864")
    try service.makeTree(nodes: 30_000)
    var sessions: [String] = []
    for number in 0..<20 {
      let rows = #""order":"breadthFirst","filter":{"not":{"by":"/z","equals":\#(number)}}"#
      let answer = try service.makeSession(isPatched ? "" : "," + rows)
      let path = answer["Location"]
      guard answer.status == 201, let path else { break }
      if isPatched {
        let patch = Ask(.patch, path, "{\(rows)}")
        guard try service.access.send(patch).status == 200 else { break }
      }
      sessions.append(path)
    }
    #expect(sessions.count > 5)
    for (number, path) in sessions.enumerated() {
      let answer = try service.access.send(Ask(.get, "\(path)/nodes/k\(number)"))
      // A session that fell asleep may find no room to wake.
      guard answer.status == 200 else {
        #expect(answer.status == 503)
        continue
      }
      #expect(try answer.json()["index"]?.isNull == true, "session \(number)")
    }
  }

  @Test func `unread answers stay within their share of memory`() throws {
    let service = try MemoryService("--max-memory-bytes", "134217728")
    let session = try RemoteSession(service.access, "{}")
    let object = String(repeating: "x", count: 1_000_000)
    for number in 0..<8 {
      try session.apply(#"[{"op":"insert","key":"k\#(number)","object":"\#(object)"}]"#)
    }
    let before = try service.program.residentBytes()
    var clients: [BlockingConnection] = []
    for _ in 0..<60 {
      let client = try BlockingConnection(port: service.port)
      try client.send(Ask(.get, session.path + "/rows?limit=1000").bytes)
      clients.append(client)
      let small = try service.access.send(Ask(.get, session.path))
      #expect(small.status == 200, "small requests are served")
    }
    let growth = try service.program.residentBytes() - before
    #expect(growth < 100 << 20, "\(growth) bytes for answers of \(60 * 8) MB")
    #expect(clients.count == 60)
  }
}
