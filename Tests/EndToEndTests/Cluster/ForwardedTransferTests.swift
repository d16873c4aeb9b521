import Glibc
import HTTP
import HTTPServer
import TestSupport
import Testing
import TreeAPI
import TreeSessions

/// Whole trees in and out through an instance that does not have them.
struct ForwardedTransferTests {
  private static let nodeCount = Seed.operations(default: 100_000)

  private static func ask(_ lines: [UInt8], _ tree: String = "t", waits: Bool = false) -> Ask {
    var ask = Ask(.post, "/v1/trees/\(tree)/import", lines)
    ask.fields = [("Content-Type", "application/x-ndjson")]
    if waits { ask.fields.append(("Expect", "100-continue")) }
    return ask
  }

  private static func cluster() throws -> TestCluster {
    let cluster = try TestCluster()
    for tree in ["t", "u"] {
      let made = try cluster.instances[0].access.send(
        Ask(.post, "/v1/trees", #"{"tree":"\#(tree)"}"#)
      )
      try #require(made.status == 201)
    }
    return cluster
  }

  private static func lines() -> [UInt8] {
    (0..<nodeCount).flatMap { number in
      let parent = number > 0 ? #","parent":"k\#((number - 1) / 10)""# : ""
      return Array("{\"key\":\"k\(number)\"\(parent),\"object\":{\"n\":\(number)}}\n".utf8)
    }
  }

  @Test func `a large tree comes back as it went in`() throws {
    let cluster = try Self.cluster()
    let near = cluster.instances[0].access
    let lines = Self.lines()
    let imported = try near.send(Self.ask(lines))
    try #require(imported.status == 200, "\(imported.text)")
    #expect(try imported.json()["applied"]?.integer == Self.nodeCount)
    let direct = try cluster.owner.access.send(Ask(.get, "/v1/trees/t/export"))
    #expect(direct.body.count { $0 == UInt8(ascii: "\n") } == Self.nodeCount)
    let connection = try BlockingConnection(port: cluster.instances[0].port, receiveBytes: 8_192)
    try connection.send(Ask(.get, "/v1/trees/t/export").bytes)
    let head = try connection.receiveHead()
    #expect(head.status == 200 && head["ETag"] == direct["ETag"])
    var (chunks, exported, pieces) = (ChunkDecoder(), [UInt8](), 0)
    while !chunks.hasEnded {
      exported += try chunks.decode(try connection.receivePiece())
      pieces += 1
      // A reader that is slow at first.
      if pieces < 20 { usleep(5_000) }
    }
    #expect(exported == direct.body)
    let again = try BlockingConnection(port: cluster.instances[0].port)
    try again.send(Self.ask(exported, "u").bytes(chunkedBy: 10_000))
    #expect(try again.receive().status == 200)
    #expect(try near.send(Ask(.get, "/v1/trees/u/export")).body == exported)
    #expect(cluster.instances[0].metrics.answerBytes == 0)
  }

  @Test func `a client that waits is told to go on by the instance of the tree`() throws {
    let cluster = try Self.cluster()
    let connection = try BlockingConnection(port: cluster.instances[0].port)
    let lines = Array(#"{"key":"a"}"#.utf8)
    for (tree, waits) in [("t", true), ("none", false)] {
      let ask = Self.ask(lines, tree, waits: true)
      try connection.send(ask.head(framing: "Content-Length: \(lines.count)"))
      let first = try connection.receive(orInterim: true)
      #expect(first.status == (waits ? 100 : 404))
      guard waits else { continue }
      try connection.send(lines)
      #expect(try connection.receive().status == 200)
    }
  }

  @Test func `a refusal comes before all is sent`() throws {
    let cluster = try Self.cluster()
    for (tree, line, status) in [("t", "no JSON\n", 400), ("none", "{}\n", 404)] {
      let connection = try BlockingConnection(port: cluster.instances[0].port)
      let ask = Self.ask([], tree)
      try connection.send(ask.head(framing: "Content-Length: 1000000000"))
      try connection.send(Array(line.utf8) + Array(repeating: 0x20, count: 100_000))
      let answer = try connection.receive()
      #expect(answer.status == status && answer["Connection"] == "close", "\(answer.text)")
    }
    #expect(try cluster.owner.access.send(Ask(.get, "/v1/trees/t/export")).body.isEmpty)
  }

  @Test func `nothing is imported of a client that leaves`() throws {
    let cluster = try Self.cluster()
    var connection: BlockingConnection? = try BlockingConnection(port: cluster.instances[0].port)
    let lines = Self.lines()
    let head = Self.ask([]).head(framing: "Content-Length: \(lines.count)")
    try connection?.send(head + lines.dropLast(10))
    connection = nil
    var rounds = 0
    while try cluster.figure(Self.open, of: 0) > 0, rounds < 1_000 {
      usleep(10_000)
      rounds += 1
    }
    #expect(rounds < 1_000)
    #expect(try cluster.owner.access.send(Ask(.get, "/v1/trees/t/export")).body.isEmpty)
  }

  private static let open = "tree_server_upstream_connections_open"

  @Test func `content of any length is limited where the tree is`() throws {
    var http = Limits()
    http.maxBodyBytes = 200_000
    let cluster = try TestCluster(http: http)
    let access = cluster.instances[0].access
    #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"t"}"#)).status == 201)
    let long = Array(#"{"operations":["#.utf8) + Array(repeating: 0x20, count: 250_000)
    let direct = try cluster.owner.access.send(Ask(.post, "/v1/trees/t/batch", long))
    let forwarded = try access.send(Ask(.post, "/v1/trees/t/batch", long))
    #expect(direct.status == 413 && forwarded.status == 413 && direct.body == forwarded.body)
  }
}
