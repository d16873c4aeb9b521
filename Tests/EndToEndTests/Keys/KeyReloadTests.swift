import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// Replaces keys while the program runs.
struct KeyReloadTests {
  private static let old = "old-0123456789abcdef"
  private static let new = "new-0123456789abcdef"
  private static let figures = "figures-0123456789abcdef"
  private static let environment = "environment-0123456789"
  private let folder: TemporaryFolder
  private let program: Program
  private let port: UInt16
  private let messages: String

  init() throws {
    folder = try TemporaryFolder()
    messages = folder.path + "/messages"
    try folder.write(
      Array("app:\(Self.old)\nprometheus:\(Self.figures):metrics\n".utf8),
      to: "keys"
    )
    program = try Program(
      ["--port", "0", "--storage", "memory", "--keys-file", folder.path + "/keys"],
      variables: ["TREE_SERVER_KEYS": "env:\(Self.environment)"],
      redirections: "2>\(messages)"
    )
    port = try program.waitForPort()
  }

  /// Writes the key file and has the program reload it.
  ///
  /// - Returns: The message that the program writes.
  private func reload(_ lines: String) throws -> String {
    try folder.write(Array(lines.utf8), to: "keys")
    let before = try String(contentsOfFile: messages, encoding: .utf8)
    program.send(SIGHUP)
    while true {
      try #require(program.isRunning)
      let text = try String(contentsOfFile: messages, encoding: .utf8)
      let added = text.dropFirst(before.count)
      if added.hasSuffix("\n") { return String(added) }
      usleep(1_000)
    }
  }

  private func status(_ path: String, _ token: String, _ arguments: [String] = []) throws -> Int {
    let url = "http://127.0.0.1:\(port)\(path)"
    let curl = try Curl(arguments + ["-H", "Authorization: Bearer \(token)", url])
    return try #require(Int(curl.head.split(separator: " ")[1]))
  }

  @Test func `a secret is replaced without a restart, both being valid meanwhile`() throws {
    let connection = SocketAccess(port: port)
    func send(_ ask: Ask, _ token: String) throws -> Answer {
      var ask = ask
      ask.fields.append(("Authorization", "Bearer " + token))
      return try connection.send(ask)
    }
    let create = Ask(.post, "/v1/trees", "{}", fields: [("Idempotency-Key", "1")])
    let made = try send(create, Self.old)
    #expect(made.status == 201)
    // Both secrets are valid.
    let both = "app:\(Self.old)\napp:\(Self.new)\n"
    #expect(try reload(both).contains("/keys was read anew; the number of valid keys is 3"))
    for token in [Self.old, Self.new, Self.environment] {
      #expect(try send(Ask(.get, "/v1/trees"), token).status == 200)
    }
    try expectProblem(send(Ask(.get, "/metrics"), Self.figures), 401, "unauthenticated")
    // The key id is the same, so the idempotency keys still apply.
    let again = try send(create, Self.new)
    #expect(again.body == made.body && again["Idempotency-Replayed"] == "true")
    #expect(try reload("app:\(Self.new)\n").contains("the number of valid keys is 2"))
    try expectProblem(send(Ask(.get, "/v1/trees"), Self.old), 401, "unauthenticated")
    #expect(try send(create, Self.new).body == made.body)
  }

  @Test func `a stream and a long poll end when their key is removed`() throws {
    let authorization = ["-H", "Authorization: Bearer \(Self.old)"]
    let base = "http://127.0.0.1:\(port)"
    let made = try Curl(authorization + ["--json", "{}", base + "/v1/sessions"])
    let members = String(decoding: made.content, as: UTF8.self).split(separator: "\"")
    let session = try #require(members.first { $0.hasPrefix("s_") })
    let changes = "\(base)/v1/sessions/\(session)/changes"
    let stream = BackgroundWork {
      try Curl(authorization + ["-H", "Accept: text/event-stream", changes])
    }
    let poll = BackgroundWork { try Curl(authorization + [changes + "?since=0&wait=25"]) }
    func figures() throws -> String {
      let curl = try Curl(["-H", "Authorization: Bearer \(Self.figures)", base + "/metrics"])
      return String(decoding: curl.content, as: UTF8.self)
    }
    while try !figures().contains("tree_server_followers 2\n") { usleep(10_000) }
    _ = try reload("app:\(Self.new)\n")
    let events = String(decoding: try #require(try stream.result()).content, as: UTF8.self)
    #expect(events.contains("event: end\ndata: {\"code\":\"unauthenticated\","), "\(events)")
    #expect(try #require(try poll.result()).head.hasPrefix("HTTP/1.1 401"))
  }

  @Test func `an invalid key file changes nothing, and the message names its line`() throws {
    for (lines, message) in [
      ("app:\(Self.new)\nx:\(Self.new)1:write\n", "/keys, line 2: the scopes behind a secret are"),
      ("# app:\(Self.new)\n", "/keys: there are no keys in it"),
      ("app\n", "/keys, line 1: a key is written as id:secret"),
    ] {
      let output = try reload(lines)
      #expect(output.contains(message), "\(output)")
      #expect(output.contains("the keys stay as they were"), "\(output)")
      #expect(!output.contains(Self.new))
      #expect(try status("/v1/trees", Self.old) == 200)
      #expect(try status("/v1/trees", Self.new) == 401)
      #expect(try status("/metrics", Self.figures) == 200)
    }
  }

  @Test func `a key with the scope metrics allows metrics and nothing else`() throws {
    #expect(try status("/metrics", Self.figures) == 200)
    for path in ["/v1/trees", "/v1/sessions/s_0/rows", "/v1/trees/t/export"] {
      #expect(try status(path, Self.figures) == 403)
    }
    #expect(try status("/v1/sessions", Self.figures, ["-X", "POST"]) == 403)
  }
}
