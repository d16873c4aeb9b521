import Foundation
import Glibc
import HTTP
import TestSupport
import Testing
import TreeDomain

/// The program with access keys.
struct KeyedProgramTests {
  private static let key = "0123456789abcdef0123456789abcdef"
  private let folder: TemporaryFolder
  private let program: MortalProgram

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array("# keys\nlaptop:\(Self.key)\n".utf8), to: "keys")
    program = try MortalProgram([
      "--keys-file", folder.path + "/keys", "--snapshot-entries", "1", "--host", "127.0.0.1",
    ])
  }

  /// Sends a request with a token on a new connection.
  private func send(_ ask: Ask, _ token: String) throws -> Answer {
    var ask = ask
    ask.fields.append(("Authorization", "Bearer " + token))
    return try SocketAccess(port: program.place.port).send(ask)
  }

  @Test func `a session secret survives restarts, and a retry returns it again`() throws {
    let create = Ask(.post, "/v1/sessions", "{}", fields: [("Idempotency-Key", "1")])
    let made = try send(create, Self.key)
    try #require(made.status == 201)
    let secret = try #require(made.json()["secret"]?.string)
    let place = try #require(made["Location"])
    let other = try #require(send(Ask(.post, "/v1/sessions", "{}"), Self.key)["Location"])
    var rows = 0
    for end in [program.kill, program.stop, program.kill] {
      for _ in 0..<3 {
        let insert = #"{"operations":[{"op":"insert","key":"\#(rows)"}]}"#
        // After a start the session is not in memory, and the first request has a body.
        let answer = try send(Ask(.post, place + "/batch", insert), secret)
        rows += 1
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try answer.json()["rowCount"]?.integer == rows)
      }
      #expect(try send(Ask(.get, place), secret).status == 200)
      try expectProblem(send(Ask(.get, other), secret), 403, "forbidden", [:])
      try end()
      try expectNowhere(secret)
      try expectProblem(send(Ask(.get, other), secret), 403, "forbidden", [:])
      try expectProblem(send(Ask(.get, place), secret + "="), 401, "unauthenticated", [:])
      let again = try send(create, Self.key)
      #expect(again.body == made.body && again["Idempotency-Replayed"] == "true")
    }
  }

  @Test func `a session with view access keeps it after restarts`() throws {
    let tree = #"{"tree":"t","nodes":[{"key":"a"}]}"#
    #expect(try send(Ask(.post, "/v1/trees", tree), Self.key).status == 201)
    let body = #"{"tree":"t","access":"view"}"#
    let create = Ask(.post, "/v1/sessions", body, fields: [("Idempotency-Key", "1")])
    let made = try send(create, Self.key)
    let secret = try #require(made.json()["secret"]?.string)
    let place = try #require(made["Location"])
    let insert = Ask(.post, place + "/batch", #"{"operations":[{"op":"insert","key":"b"}]}"#)
    for end in [program.kill, program.stop, program.kill] {
      try expectProblem(send(insert, secret), 403, "forbidden", ["operation": "0"])
      let select = try send(Ask(.post, place + "/nodes/a/select", "{}"), secret)
      #expect(select.status == 200, "\(select.text)")
      let described = try send(Ask(.get, place), secret).json()
      #expect(described["access"]?.string == "view" && described["rowCount"]?.integer == 1)
      try end()
      // After a start the session is not in memory, so its access is read from disk.
      try expectProblem(send(insert, secret), 403, "forbidden", ["operation": "0"])
      #expect(try send(create, Self.key).body == made.body)
    }
  }

  /// Expects that no file of the data folder contains a secret, in either form, or the API key.
  private func expectNowhere(_ secret: String) throws {
    let forms = [
      Array(secret.utf8), try #require(SessionSecret(secret.utf8)).bytes, Array(Self.key.utf8),
    ]
    let folder = program.folder.path()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.contains("trees.sqlite"))
    for file in files {
      let bytes = Array(FileManager.default.contents(atPath: "\(folder)/\(file)") ?? Data())
      for form in forms { #expect(bytes.firstRange(of: form[0..<12]) == nil, "\(file)") }
    }
  }

  @Test func `a request without access is refused before its body is read`() throws {
    let strangers = ["x", String(repeating: "A", count: 43)]
    let template = Ask(.post, "/v1/sessions", "{}")
    for token in strangers {
      for (path, length) in [("/v1/sessions", 16_000_000), ("/v1/trees/a/import", 1 << 31)] {
        var ask = template
        ask.target = path
        ask.fields.append(("Authorization", "Bearer " + token))
        let connection = try BlockingConnection(port: program.place.port)
        try connection.send(ask.head(framing: "Content-Length: \(length)"))
        // Sends part of the body, so that the deferred lookup of the token can answer.
        usleep(100_000)
        try connection.send(Array("{".utf8)[...])
        let answer = try connection.receive()
        try expectProblem(answer, 401, "unauthenticated", [:])
        #expect(answer["Connection"] == "close")
      }
    }
  }
}
