import Glibc
import HTTP
import TestSupport
import Testing

/// Compares the counted memory of each kind with the memory of the process.
///
/// Transactions and commits are too short to be measured here. `MemoryGrowthTests`,
/// `MemorySumTests` and `CommitMemoryTests` stop them.
///
/// The suite takes several minutes and depends on the allocator, so that it runs only with
/// `EXHAUSTIVE=1`.
@Suite(.serialized, .enabled(if: Seed.isExhaustive, "takes several minutes; set EXHAUSTIVE=1"))
struct MemoryKindTests {
  @Test func `nodes with short keys and no objects`() throws {
    let service = try MemoryService()
    // The second import reuses memory that the first has freed.
    try service.makeTree("first", nodes: 20_000)
    try service.expectGrowth(atLeast: 10 << 20) {
      try service.makeTree(nodes: 300_000, objects: false)
    }
  }

  @Test func `sessions and their toggled nodes`() throws {
    let service = try MemoryService()
    try service.makeTree(nodes: 40_000, isPaired: true)
    // The first sessions reuse memory that the import has freed.
    for _ in 0..<1_200 { _ = try service.openSession() }
    try service.expectGrowth(atLeast: 6 << 20) {
      for _ in 0..<3_000 { _ = try service.openSession() }
    }
    let sessions = try (0..<18).map { _ in try service.openSession(#","expansion":"none""#) }
    let expand = [#"{"op":"expand","key":"r","levels":"all"}"#]
    try service.apply(expand, to: sessions[0])
    try service.expectGrowth(atLeast: 30 << 20) {
      for session in sessions.dropFirst() { try service.apply(expand, to: session) }
    }
  }

  @Test(arguments: ["contains", "matches"])
  func `filters of sessions`(test: String) throws {
    let service = try MemoryService()
    try service.makeTree(nodes: 10)
    let text = test == "contains" ? String(repeating: "x", count: 4_000) : "ab[c-e]?*"
    func open(_ number: Int) throws {
      let tests = (0..<20).map { part in
        let sought = String(repeating: text, count: text.count > 100 ? 1 : 400)
        return #"{"by":"/a","\#(test)":"\#(sought)\#(number)/\#(part)"}"#
      }
      _ = try service.openSession(#","filter":{"any":[\#(tests.joined(separator: ","))]}"#)
    }
    for number in 0..<3 { try open(number) }
    try service.expectGrowth(atLeast: 20 << 20) {
      for number in 3..<40 { try open(number) }
    }
  }

  @Test func `selected nodes`() throws {
    let service = try MemoryService()
    try service.makeTree(nodes: 100_000)
    let sessions = try (0..<16).map { _ in try service.openSession() }
    let select = [#"{"op":"select","subtree":"r"}"#]
    for session in sessions.prefix(2) { try service.apply(select, to: session) }
    try service.expectGrowth(atLeast: 10 << 20) {
      for session in sessions.dropFirst(2) { try service.apply(select, to: session) }
    }
  }

  @Test func `past changes`() throws {
    let service = try MemoryService("--max-history-rows", "2000000")
    try service.makeTree(nodes: 20_000, isPaired: true)
    let session = try service.openSession()
    func toggle(_ step: Int) throws {
      let nodes = stride(from: step % 3 * 2, to: 20_000, by: 6)
      try service.apply(nodes.map { #"{"op":"toggle","key":"k\#($0)"}"# }, to: session)
    }
    for step in 0..<6 { try toggle(step) }
    try service.expectGrowth(atLeast: 6 << 20) {
      for step in 0..<100 { try toggle(step) }
    }
  }

  @Test func `stored answers for retries`() throws {
    let service = try MemoryService("--max-replay-bytes", "200000000")
    try service.makeTree(nodes: 2_000)
    let session = try service.openSession()
    func toggle(_ number: Int) throws {
      let operation = number % 2 == 0 ? "collapseAll" : "expandAll"
      let fields = [(name: "Idempotency-Key", value: "key-\(number)")]
      try service.apply([#"{"op":"\#(operation)"}"#], to: session, fields)
    }
    for number in 0..<4 { try toggle(number) }
    try service.expectGrowth(atLeast: 20 << 20) {
      for number in 4..<300 { try toggle(number) }
    }
  }

  @Test func `sleeping sessions`() throws {
    let service = try MemoryService(
      "--idle-session-seconds",
      "1",
      "--max-idle-views-per-tree",
      "0"
    )
    try service.makeTree(nodes: 2_000, isPaired: true)
    let keys = (0..<1_000).map { "\"k\(2 * $0)\"" }.joined(separator: ",")
    func open(_ count: Int) throws {
      for _ in 0..<count {
        _ = try service.openSession(#","expansion":"none","expandedKeys":[\#(keys)]"#)
      }
      for _ in 0..<200 where try service.counted("views") > 3_000_000 { usleep(200_000) }
    }
    try open(20)
    try service.expectGrowth(atLeast: 3 << 20) { try open(2_000) }
  }

  @Test func `chunks held only by an export`() throws {
    let service = try MemoryService()
    try service.makeTree(nodes: 300_000, objects: false)
    let reader = try BlockingConnection(port: service.port, receiveBytes: 4_096)
    try reader.send(Ask(.get, "/v1/trees/t/export").bytes)
    _ = try reader.receiveHead()
    try service.expectGrowth(atLeast: 3 << 20) {
      let sort = ##"{"op":"sort","key":"r","by":[{"by":"#key","direction":"descending"}]}"##
      try service.apply([sort])
      return reader
    }
  }

  @Test func `incomplete imports`() throws {
    let service = try MemoryService()
    try service.makeTree(nodes: 10)
    let text = String(repeating: "x", count: 40)
    try service.expectGrowth(atLeast: 30 << 20) {
      try (0..<6).map { client in
        let lines = (0..<50_000).map { #"{"key":"c\#(client)/\#($0)","object":{"b":"\#(text)"}}"# }
        let body = Array(lines.joined(separator: "\n").utf8)
        var ask = Ask(.post, "/v1/trees/t/import")
        ask.fields.append(("Content-Type", "application/x-ndjson"))
        return try service.begin(ask, body, rest: 100)
      }
    }
  }

  @Test func `incomplete requests`() throws {
    let service = try MemoryService()
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: 4_000_000)
    try service.expectGrowth(atLeast: 30 << 20) {
      try (0..<10).map { _ in
        var ask = Ask(.post, "/v1/trees")
        ask.fields.append(("Content-Type", "application/json"))
        return try service.begin(ask, spaces, rest: 100)
      }
    }
  }

  @Test func `unread answers`() throws {
    let service = try MemoryService("--min-bytes-per-second", "0")
    let object = String(repeating: "x", count: 4_000)
    let session = try RemoteSession(service.access, "{}")
    for number in 0..<1_000 {
      try session.apply(#"[{"op":"insert","key":"k\#(number)","object":"\#(object)"}]"#)
    }
    func read() throws -> BlockingConnection {
      let client = try BlockingConnection(port: service.port, receiveBytes: 4_096)
      try client.send(Ask(.get, session.path + "/rows?limit=1000").bytes)
      return client
    }
    let first = try (0..<2).map { _ in try read() }
    try service.expectGrowth(atLeast: 40 << 20) { try (0..<15).map { _ in try read() } }
    #expect(first.count == 2)
  }

  @Test func `pending events of slow followers`() throws {
    let service = try MemoryService()
    try service.makeTree(nodes: 1_000)
    let object = String(repeating: "o", count: 900)
    let followers = try (0..<40).map { _ in
      let path = try service.openSession() + "/changes?include=rows&limit=1000"
      let client = try BlockingConnection(port: service.port, receiveBytes: 4_096)
      try client.send(Ask(.get, path, fields: [("Accept", "text/event-stream")]).bytes)
      _ = try client.receiveHead()
      return client
    }
    try service.expectGrowth(atLeast: 15 << 20) {
      for round in 0..<20 {
        let updates = (0..<40).map { number in
          #"{"op":"update","key":"k\#(number)","object":"\#(round)\#(object)"}"#
        }
        try service.apply(updates)
      }
      return followers
    }
  }

  @Test func `connections`() throws {
    let service = try MemoryService("--max-connections-per-address", "0")
    func connect() throws -> BlockingConnection {
      let client = try BlockingConnection(port: service.port)
      try client.send(Ask(.get, "/healthz").bytes)
      #expect(try client.receive().status == 200)
      return client
    }
    let first = try (0..<300).map { _ in try connect() }
    try service.expectGrowth(atLeast: 8 << 20) { try (0..<4_000).map { _ in try connect() } }
    #expect(first.count == 300)
  }
}

extension MemoryService {
  /// Sends a request whose last `rest` bytes never arrive.
  fileprivate func begin(_ ask: Ask, _ body: [UInt8], rest: Int) throws -> BlockingConnection {
    let client = try BlockingConnection(port: port)
    try client.send(ask.head(framing: "Content-Length: \(body.count + rest)") + body)
    return client
  }
}
