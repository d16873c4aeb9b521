import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// The database has no room for what is to be kept, and then it has.
///
/// Its tables are on a small file system, which only root can make.
@Suite(
  .serialized,
  .enabled(if: PostgreSQLServer.programs != nil && Shortage.possible.contains(.fileSystem))
)
struct FullDatabaseTests {
  private static let tree = "/v1/trees/full"

  /// Inserts a node of 640 kilobytes that do not shrink.
  private func insert(
    _ number: Int,
    _ access: SocketAccess,
    _ random: inout SeededGenerator
  ) throws -> Answer {
    let words = (0..<40_000).map { _ in String(random.next() | 1 << 63, radix: 16) }
    let object = words.joined()
    let body = #"{"operations":[{"op":"insert","key":"\#(number)","object":"\#(object)"}]}"#
    return try access.send(Ask(.post, "\(Self.tree)/batch", body))
  }

  @Test func `without room nothing is changed, reads go on, and with room it goes on`() throws {
    let seed = Seed.fromEnvironment()
    var random = SeededGenerator(seed: seed)
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "full-\(UUID().uuidString)").path()
    try Shortage.fileSystem.prepare(folder)
    defer { Shortage.fileSystem.remove(folder) }
    try #require(runCommand(["chown", "nobody:nogroup", folder]))
    let server = try PostgreSQLServer()
    defer { try? server.kill() }
    _ = try server.sql("CREATE TABLESPACE small LOCATION '\(folder)'")
    _ = try server.sql("CREATE DATABASE full_one TABLESPACE small")
    let program = try Program(["--port", "0", "--storage", server.uri(of: "full_one")])
    let access = SocketAccess(port: try program.waitForPort())
    #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"full"}"#)).status == 201)
    var count = 0
    var answer = try insert(count, access, &random)
    while answer.status == 200, count < 200 {
      count += 1
      answer = try insert(count, access, &random)
    }
    #expect(answer.status == 507, "SEED=\(seed): \(answer.text)")
    #expect(try answer.json()["code"]?.string == "storage-full")
    for key in [0, count / 2, count - 1] {
      #expect(try access.send(Ask(.get, "\(Self.tree)/nodes/\(key)?fields=key")).status == 200)
    }
    #expect(try access.send(Ask(.get, Self.tree)).json()["nodeCount"]?.integer == count)
    #expect(try access.send(Ask(.get, "\(Self.tree)/nodes/\(count)")).status == 404)
    try #require(runCommand(["mount", "-o", "remount,size=256m", folder]))
    for _ in 0..<600 where answer.status != 200 {
      usleep(100_000)
      answer = try insert(count, access, &random)
    }
    #expect(answer.status == 200, "SEED=\(seed): \(answer.text)")
    #expect(try access.send(Ask(.get, Self.tree)).json()["nodeCount"]?.integer == count + 1)
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
  }
}
