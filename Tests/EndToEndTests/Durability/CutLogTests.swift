import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// Somebody cuts the files beside the database while the program runs.
struct CutLogTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "trees-\(UUID().uuidString)").path()

  private func cut(_ suffix: String) throws {
    guard unsafe truncate("\(folder)/trees.sqlite\(suffix)", 0) == 0 else {
      throw WireError("\(suffix) cannot be cut")
    }
  }

  private func insert(_ key: String, _ access: SocketAccess) throws -> Int {
    let body = #"{"operations":[{"op":"insert","key":"\#(key)"}]}"#
    return try access.send(Ask(.post, "/v1/trees/t/batch", body)).status
  }

  @Test func `a cut log ends all changes, also at the next start, until they are given up`() throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let program = try Program(["--port", "0", "--data", folder])
    let access = SocketAccess(port: try program.waitForPort())
    #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"t"}"#)).status == 201)
    #expect(try insert("a", access) == 200)
    try cut("-wal")
    for key in ["b", "c"] { #expect(try insert(key, access) == 503) }
    #expect(try access.send(Ask(.get, "/readyz")).status == 503)
    #expect(try access.send(Ask(.get, "/healthz")).status == 200)
    program.send(SIGTERM)
    _ = try program.waitForEnd()
    let refused = try Program(["--port", "0", "--data", folder])
    let end = try refused.waitForEnd()
    #expect(end.status != 0 && end.error.contains("commits are missing"), "\(end.error)")
  }

  @Test func `a cut index of the log changes nothing`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let program = try Program(["--port", "0", "--data", folder])
    let access = SocketAccess(port: try program.waitForPort())
    #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"t"}"#)).status == 201)
    for number in 0..<20 {
      try cut("-shm")
      #expect(try insert("\(number)", access) == 200)
    }
    try cut("-shm")
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
    let another = try Program(["--port", "0", "--data", folder])
    let next = SocketAccess(port: try another.waitForPort())
    #expect(try next.send(Ask(.get, "/v1/trees/t")).json()["nodeCount"]?.integer == 20)
    another.kill()
  }
}
