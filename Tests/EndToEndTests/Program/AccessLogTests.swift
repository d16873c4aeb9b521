import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// The access log and the metrics of the program.
struct AccessLogTests {
  private static let secret = "SECRET-0123456789"

  /// Waits until a file has at least `count` lines, and returns them.
  private func lines(of path: String, atLeast count: Int) throws -> [[String: Any]] {
    for _ in 0..<6_000 {
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      let lines = text.split(separator: "\n")
      if lines.count >= count, text.hasSuffix("\n") {
        #expect(!text.contains("SECRET"))
        return try lines.map { line in
          try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
      }
      usleep(10_000)
    }
    throw WireError("the log has fewer than \(count) lines")
  }

  private func value<Value>(_ line: [String: Any], _ name: String) -> Value? {
    line[name] as? Value
  }

  @Test func `each exchange is one line without secrets, also in a new file after SIGHUP`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/access.log"
    // Uses one loop: a line is written after the answer, and lines of two loops could change
    // places.
    let program = try Program(
      ["--port", "0", "--loops", "1", "--access-log", path, "--storage", "memory"],
      variables: ["TREE_SERVER_KEYS": "ops:\(Self.secret)"]
    )
    let port = try program.waitForPort()
    let access = SocketAccess(port: port)
    let key = ("Authorization", "Bearer \(Self.secret)")
    let made = try access.send(
      Ask(.post, "/v1/sessions", "{}", fields: [key, ("X-Request-Id", "mine")])
    )
    #expect(made.status == 201 && made["X-Request-Id"] == "mine")
    let refused = try access.send(
      Ask(.get, "/v1/trees?key=\(Self.secret)", fields: [("Authorization", "Bearer SECRET-other")])
    )
    #expect(refused.status == 401)
    let broken = try BlockingConnection(port: port)
    try broken.send(Array("GET /\u{1} HTTP/1.1\r\n".utf8))
    #expect(try broken.receive().status == 400)

    let first = try lines(of: path, atLeast: 3)
    #expect(first.map { value($0, "status") } == [201, 401, 400])
    #expect(first.map { value($0, "route") } == ["/v1/sessions", "/v1/trees", "malformed"])
    #expect(first.map { value($0, "path") } == ["/v1/sessions", "/v1/trees", nil])
    #expect(first.map { value($0, "key") } == ["ops", nil, nil])
    #expect(value(first[0], "request") == "mine")
    #expect(value(first[1], "request") == refused["X-Request-Id"])
    #expect(first.allSatisfy { value($0, "remote") == "127.0.0.1" })
    #expect(first.allSatisfy { value($0, "complete") == true })

    let renamed = path + ".1"
    try FileManager.default.moveItem(atPath: path, toPath: renamed)
    program.send(SIGHUP)
    // Requests before the signal is handled are logged to the old file.
    var asked = 0
    repeat {
      asked += 1
      #expect(try access.send(Ask(.get, "/healthz", fields: [key])).status == 200)
    } while !FileManager.default.fileExists(atPath: path)
    #expect(try access.send(Ask(.get, "/healthz")).status == 200)
    program.send(SIGTERM)
    let ending = try program.waitForEnd()
    #expect(ending.status == 0 && !ending.error.contains("SECRET"))
    let old = try lines(of: renamed, atLeast: 3)
    let new = try lines(of: path, atLeast: 1)
    #expect(old.count + new.count == 3 + asked + 1)
    #expect(new.allSatisfy { value($0, "path") == "/healthz" })
  }

  @Test func `the key id of a secret read from disk is logged`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/access.log"
    let arguments = ["--port", "0", "--data", folder.path + "/data", "--access-log", path]
    let keys = ["TREE_SERVER_KEYS": "ops:\(Self.secret)"]
    var program = try Program(arguments, variables: keys)
    var access = SocketAccess(port: try program.waitForPort())
    let made = try access.send(
      Ask(.post, "/v1/sessions", "{}", fields: [("Authorization", "Bearer \(Self.secret)")])
    )
    let session = try #require(try made.json()["session"]?.string)
    let secret = try #require(try made.json()["secret"]?.string)
    // Waits for the line, as a killed process may leave it unwritten.
    _ = try lines(of: path, atLeast: 1)
    program.kill()
    program = try Program(arguments, variables: keys)
    access = SocketAccess(port: try program.waitForPort())
    let own = [("Authorization", "Bearer \(secret)")]
    #expect(try access.send(Ask(.get, "/v1/sessions/\(session)", fields: own)).status == 200)
    #expect(try access.send(Ask(.get, "/v1/sessions/\(session)", fields: own)).status == 200)
    let lines = try lines(of: path, atLeast: 3)
    #expect(lines.map { value($0, "key") } == ["ops", "session", "session"])
  }

  @Test func `a log file that cannot be written stops the start with a message`() throws {
    let ending = try Program(["--port", "0", "--access-log", "/nowhere/access.log"]).waitForEnd()
    #expect(ending.status == 1 && ending.output == "")
    #expect(ending.error.contains("cannot write the access log /nowhere/access.log: open: No such"))
  }

  @Test func `metrics need a key and count the requests`() throws {
    let program = try Program(
      ["--port", "0", "--storage", "memory"],
      variables: ["TREE_SERVER_KEYS": "ops:\(Self.secret)"]
    )
    let access = SocketAccess(port: try program.waitForPort())
    let key = ("Authorization", "Bearer \(Self.secret)")
    for _ in 0..<3 { _ = try access.send(Ask(.get, "/healthz")) }
    #expect(try access.send(Ask(.get, "/metrics")).status == 401)
    var figures: Exposition
    repeat {
      let answer = try access.send(Ask(.get, "/metrics", fields: [key]))
      #expect(answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
      figures = try Exposition(answer.text)
    } while figures.sum { $0.contains("route=\"/metrics\",status=\"401\"") } < 1
    #expect(
      figures.sum { $0.hasPrefix("tree_server_requests_total{method=\"GET\",route=\"/healthz") }
        == 3
    )
    #expect(figures.samples["tree_server_build_info{version=\"0.2.0\"}"] == 1)
    #expect(figures.samples["tree_server_access_log_dropped_total"] == 0)
    #expect((figures.samples["process_resident_memory_bytes"] ?? 0) > 1_000_000)
  }
}
