import Glibc
import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeSessions

/// Connections between instances that are lost, at any moment.
struct LostInstanceTests {
  private let cluster: TestCluster
  private let proxy: CuttingProxy
  private var near: SocketAccess { cluster.instances[0].access }
  private var owner: SocketAccess { cluster.owner.access }

  init() throws {
    cluster = try TestCluster()
    proxy = try CuttingProxy(to: Int(cluster.owner.port))
    let made = try owner.send(Ask(.post, "/v1/trees", #"{"tree":"t","nodes":[{"key":"r"}]}"#))
    try #require(made.status == 201)
    cluster.plan.setAddress("127.0.0.1:\(proxy.port)", of: 1)
  }

  private static func insert(_ key: String, token: String?) -> Ask {
    let body = #"{"operations":[{"op":"insert","key":"\#(key)","parent":"r"}]}"#
    let fields = token.map { [(name: "Idempotency-Key", value: $0)] } ?? []
    return Ask(.post, "/v1/trees/t/batch", body, fields: fields)
  }

  private func revision() throws -> Int? {
    try owner.send(Ask(.get, "/v1/trees/t")).json()["revision"]?.integer
  }

  @Test func `an instance that cannot be reached has changed nothing`() throws {
    cluster.plan.setAddress("127.0.0.1:\(cluster.owner.port)", of: 1)
    cluster.kill(1)
    for ask in [Self.insert("a", token: nil), Ask(.get, "/v1/trees/t")] {
      let answer = try near.send(ask)
      try expectProblem(answer, 503, "overloaded")
      #expect(answer["Retry-After"] == "1")
    }
    #expect(try cluster.figure(#"tree_server_forwarded_requests_total{outcome="un"#, of: 0) == 2)
  }

  @Test func `a change whose answer is lost may have been made`() throws {
    proxy.set(.cutAnswer(with: Array("HTTP/1.1 200".utf8)))
    let answer = try near.send(Self.insert("a", token: "k"))
    try expectProblem(answer, 502, "outcome-unknown")
    #expect(answer.text.contains("Idempotency-Key") && answer["Retry-After"] == "1")
    let again = try near.send(Self.insert("a", token: "k"))
    #expect(again.status == 200 && again["Idempotency-Replayed"] == "true")
    #expect(try revision() == 1)
  }

  @Test func `a change is sent again by itself if it has a key`() throws {
    #expect(try near.send(Ask(.get, "/v1/trees/t")).status == 200)
    proxy.set(.cutAnswer(with: Array("HTTP/1.1 200".utf8)))
    let answer = try near.send(Self.insert("a", token: "k"))
    #expect(answer.status == 200 && answer["Idempotency-Replayed"] == "true")
    #expect(try revision() == 1)
    proxy.set(.cutAnswer(with: Array("HTTP/1.1 200".utf8)))
    try expectProblem(try near.send(Self.insert("b", token: nil)), 502, "outcome-unknown")
    #expect(try revision() == 2)
  }

  @Test func `an answer that breaks off is not taken for whole`() throws {
    let lines = (0..<100_000).map { #"{"key":"k\#($0)","parent":"r"}"# }.joined(separator: "\n")
    let fields = [(name: "Content-Type", value: "application/x-ndjson")]
    let ask = Ask(.post, "/v1/trees/t/import", lines, fields: fields)
    try #require(try owner.send(ask).status == 200)
    let connection = try BlockingConnection(port: cluster.instances[0].port, receiveBytes: 8_192)
    try connection.send(Ask(.get, "/v1/trees/t/export").bytes)
    #expect(try connection.receiveHead().status == 200)
    cluster.kill(1)
    var chunks = ChunkDecoder()
    #expect(throws: WireError.self) {
      while !chunks.hasEnded {
        let piece = try connection.receivePiece()
        if piece.isEmpty { throw WireError("the end of the connection") }
        _ = try chunks.decode(piece)
      }
    }
    #expect(!chunks.hasEnded)
  }

  @Test(arguments: Seed.seeds(count: 4))
  func `changes are made once however often connections are lost`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (revisions, lost) = ([Int](), 0)
    for number in 0..<Seed.operations(default: 60) {
      switch random.number(in: 0...5) {
      case 0: proxy.set(.cutAnswer(with: Array("HTTP/1.1 200".utf8)))
      case 1: proxy.set(.cutAnswer(with: Array("applied".utf8)))
      case 2: proxy.set(.cutRequest(after: random.number(in: 0...500)))
      default: break
      }
      let ask = Self.insert("k\(number)", token: "t\(number)")
      var answer = try near.send(ask)
      while answer.status >= 500 {
        lost += 1
        #expect([502, 503].contains(answer.status), "SEED=\(seed) \(answer)")
        if random.oneIn(3) {
          let read = try near.send(Ask(.get, "/v1/trees/t"))
          #expect([200, 503].contains(read.status), "SEED=\(seed) \(read)")
        }
        answer = try near.send(ask)
      }
      #expect(answer.status == 200, "SEED=\(seed) \(answer.text)")
      revisions.append(try #require(try answer.json()["revision"]?.integer))
    }
    #expect(revisions == Array(1...revisions.count), "SEED=\(seed)")
    #expect(try revision() == revisions.count)
    #expect(proxy.cutCount > 0 && lost <= proxy.cutCount, "SEED=\(seed)")
  }
}
