import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// Instances on one database, of which one fails, stops or leaves.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil))
struct InstanceTests {
  private static let trees = (0..<24).map { "tree-\($0)" }
  private let server: PostgreSQLServer
  private let database: String
  private let folder: TemporaryFolder

  init() throws {
    server = try #require(PostgreSQLServer.shared)
    database = try server.makeDatabase()
    folder = try TemporaryFolder()
    try folder.write(Array("0123456789abcdef0123456789abcdef\n".utf8), to: "secret")
  }

  private struct Started {
    let program: Program
    let port: UInt16
  }

  private func start(_ clock: MovableClock? = nil) throws -> Started {
    let port = UInt16.random(in: 20_001...32_000)
    let arguments = [
      "--port", "\(port)", "--storage", server.uri(of: database),
      "--advertise", "127.0.0.1:\(port)", "--cluster-secret-file", "\(folder.path)/secret",
    ]
    let program = try Program(arguments, variables: clock?.variables ?? [:])
    _ = try program.waitForPort()
    return Started(program: program, port: port)
  }

  /// Idempotency keys are kept for a day.
  @Test(.enabled(if: MovableClock.isAvailable), arguments: [false, true])
  func `a request is repeated on an instance whose clock is days ahead`(isSeen: Bool) throws {
    let clock = try MovableClock()
    try clock.move(bySeconds: 500_000)
    let first = try start()
    var line = line(to: first)
    try makeTrees(&line)
    try insert("a", &line)
    // An instance that has not seen the one before does not know when that ended.
    if !isSeen { try end(first) }
    let second = try start(clock)
    var other = self.line(to: second)
    try expect(nodes: 1, &other)
    if isSeen { first.program.kill() }
    try insert("a", &other)
    try expect(nodes: 1, &other)
  }

  private func end(_ instance: Started) throws {
    instance.program.send(SIGTERM)
    #expect(try instance.program.waitForEnd().status == 0)
  }

  /// An instance alone has all slots, whose trees and sessions count together.
  @Test func `a limit does not refuse the repetition of what was created`() throws {
    let arguments = ["--port", "0", "--storage", server.uri(of: database)]
    let program = try Program(arguments + ["--max-trees", "1", "--max-sessions", "1"])
    let access = SocketAccess(port: try program.waitForPort())
    for (target, body) in [("/v1/trees", #"{"tree":"a"}"#), ("/v1/sessions", #"{"tree":"a"}"#)] {
      let ask = Ask(.post, target, body, fields: [(name: "Idempotency-Key", value: target)])
      let answers = try [access.send(ask), access.send(ask)]
      #expect(answers.map(\.status) == [201, 201] && answers[0].body == answers[1].body)
      #expect(answers[1]["Idempotency-Replayed"] == "true")
    }
    let again = try access.send(Ask(.post, "/v1/trees", #"{"tree":"a"}"#))
    try expectProblem(again, 409, "tree-exists")
    for tree in ["b", "c", "d"] {
      let answer = try access.send(Ask(.post, "/v1/trees", #"{"tree":"\#(tree)"}"#))
      try expectProblem(answer, 503, "overloaded")
    }
  }

  private func line(to instances: Started...) -> RovingLine {
    RovingLine(ports: instances.map(\.port), random: SeededGenerator(seed: 7))
  }

  /// Waits until each of some instances has slots.
  private func waitForShares(of count: Int) throws {
    for _ in 0..<600 {
      let text = "SELECT count(DISTINCT owner) FROM tree_service.slots WHERE owner > 0"
      if try server.sql(text, in: database) == "\(count)" { return }
      usleep(100_000)
    }
    Issue.record("slots are not shared by \(count) instances")
  }

  private func makeTrees(_ line: inout RovingLine) throws {
    for tree in Self.trees {
      let answer = try line.send(Ask(.post, "/v1/trees", #"{"tree":"\#(tree)"}"#))
      #expect(answer?.status == 201, "\(answer?.text ?? "")")
    }
  }

  /// Inserts a node into each tree, with the same idempotency key each time.
  private func insert(_ key: String, _ line: inout RovingLine) throws {
    for tree in Self.trees {
      let body = #"{"operations":[{"op":"insert","key":"\#(key)"}]}"#
      let fields = [(name: "Idempotency-Key", value: "\(tree)-\(key)")]
      let answer = try line.send(Ask(.post, "/v1/trees/\(tree)/batch", body, fields: fields))
      #expect(answer?.status == 200, "\(answer?.text ?? "")")
    }
  }

  private func expect(nodes: Int, _ line: inout RovingLine) throws {
    for tree in Self.trees {
      let answer = try #require(try line.send(Ask(.get, "/v1/trees/\(tree)")))
      #expect(answer.status == 200)
      #expect(try answer.json()["nodeCount"]?.integer == nodes, "\(answer.text)")
    }
  }

  @Test func `what an instance has acknowledged outlives its death`() throws {
    let (first, second, third) = (try start(), try start(), try start())
    try waitForShares(of: 3)
    var all = line(to: first, second, third)
    try makeTrees(&all)
    try insert("a", &all)
    first.program.kill()
    var rest = line(to: second, third)
    try expect(nodes: 1, &rest)
    // The same requests once more, and others.
    try insert("a", &rest)
    try insert("b", &rest)
    try expect(nodes: 2, &rest)
    try waitForShares(of: 2)
  }

  @Test func `an instance that was stopped shows nothing old when it goes on`() throws {
    let (first, second) = (try start(), try start())
    try waitForShares(of: 2)
    var all = line(to: first, second)
    try makeTrees(&all)
    try insert("a", &all)
    first.program.send(SIGSTOP)
    var rest = line(to: second)
    try insert("b", &rest)
    first.program.send(SIGCONT)
    let access = SocketAccess(port: first.port)
    for _ in 0..<20 {
      for tree in Self.trees {
        let answer = try access.send(Ask(.get, "/v1/trees/\(tree)"))
        guard answer.status == 200 else {
          #expect(answer.status == 503)
          continue
        }
        #expect(try answer.json()["nodeCount"]?.integer == 2, "\(answer.text)")
      }
    }
    #expect(first.program.isRunning)
    try waitForShares(of: 2)
    try insert("c", &all)
    try expect(nodes: 3, &all)
  }

  @Test func `an instance that is to end hands its slots over`() throws {
    let (first, second) = (try start(), try start())
    try waitForShares(of: 2)
    var all = line(to: first, second)
    try makeTrees(&all)
    try insert("a", &all)
    let session = try #require(try all.send(Ask(.post, "/v1/sessions", #"{"tree":"tree-0"}"#)))
    let place = try #require(session["Location"])
    try end(first)
    // Nobody waits for the end of a lease, as there is none any more.
    #expect(try server.sql("SELECT count(*) FROM tree_service.instances", in: database) == "1")
    var rest = line(to: second)
    try expect(nodes: 1, &rest)
    #expect(try rest.send(Ask(.get, place))?.status == 200)
  }

  @Test func `what is alone excludes others, and they exclude it`() throws {
    let first = try start()
    let alone = ["--port", "0", "--storage", server.uri(of: database)]
    let refused = try Program(alone).waitForEnd()
    #expect(refused.status == 1)
    #expect(refused.error.contains("in use by another instance"))
    try end(first)
    let second = try Program(alone)
    _ = try second.waitForPort()
    let other = try Program([
      "--port", "0", "--storage", server.uri(of: database), "--advertise", "127.0.0.1:9",
      "--cluster-secret-file", "\(folder.path)/secret",
    ]).waitForEnd()
    #expect(other.status == 1)
    #expect(other.error.contains("in use by another instance"))
  }
}
