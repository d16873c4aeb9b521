import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// Several processes on one database, of which one at a time owns it.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil))
struct DatabaseOwnerTests {
  private let uri: String
  private let server: PostgreSQLServer
  private let database: String

  init() throws {
    server = try PostgreSQLServer()
    database = try server.makeDatabase()
    uri = server.uri(of: database).replacing("postgres@", with: "postgres:secret@")
  }

  private func program(_ arguments: String...) throws -> Program {
    try Program(["--port", "0", "--storage", uri] + arguments)
  }

  @Test func `a process that was stopped is taken over, and ends when it goes on`() throws {
    let first = try program()
    _ = try first.waitForPort()
    let refused = try program().waitForEnd()
    #expect(refused.status == 1)
    #expect(refused.error.contains("the database is in use by another instance (process "))
    first.send(SIGSTOP)
    let second = try program()
    _ = try second.waitForPort()
    first.send(SIGCONT)
    let ending = try first.waitForEnd()
    #expect(ending.status == 1)
    #expect(ending.error.contains("another instance has taken over postgresql://postgres:***@/"))
    second.send(SIGTERM)
    let end = try second.waitForEnd()
    #expect(end.status == 0)
    for text in [refused.error, ending.error, end.error] { #expect(!text.contains("secret")) }
  }

  /// Locks the last writer of a slot for some seconds, as a commit does that is under way.
  private func lockWriter(seconds: Int) throws -> BackgroundWork<Void> {
    let program = try program()
    _ = try program.waitForPort()
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
    let text = "UPDATE tree_service_00.writers SET is_closed = false; SELECT pg_sleep(\(seconds))"
    _ = try server.sql("UPDATE tree_service_00.writers SET is_closed = false", in: database)
    let work = BackgroundWork { [server, database] in
      _ = try server.sql(text, in: database)
    }
    let count = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    while try server.sql(count) == "0" { usleep(10_000) }
    return work
  }

  @Test func `a start waits for the last commit of the process before`() throws {
    let lock = try lockWriter(seconds: 8)
    let program = try program()
    _ = try program.waitForPort()
    #expect(lock.isDone)
    try lock.result()
  }

  @Test func `a process that is taken over while it starts ends`() throws {
    let lock = try lockWriter(seconds: 8)
    let program = try program()
    let count = "SELECT count(*) FROM tree_service.slots WHERE owner > 0"
    while try server.sql(count, in: database) == "0" { usleep(10_000) }
    _ = try server.sql("DELETE FROM tree_service.instances", in: database)
    let ending = try program.waitForEnd()
    #expect(ending.status == 1 && ending.error.contains("another instance has taken it over"))
    try lock.result()
  }

  /// Another process may take over, and must not contradict what was shown.
  @Test func `a list of trees shows only what is committed`() throws {
    let program = try program()
    let port = try program.waitForPort()
    let access = SocketAccess(port: port)
    #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"t"}"#)).status == 201)
    let schemas = (0..<16).map { "tree_service_\($0 < 10 ? "0" : "")\($0)" }
    let locks = schemas.map { "UPDATE \($0).writers SET is_closed = is_closed;" }.joined()
    let lock = BackgroundWork { [server, database] in
      _ = try server.sql("\(locks) SELECT pg_sleep(3)", in: database)
    }
    let sleeps = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    while try server.sql(sleeps) == "0" { usleep(10_000) }
    let batch = BackgroundWork {
      let body = #"{"operations":[{"op":"insert","key":"a"}]}"#
      return try SocketAccess(port: port).send(Ask(.post, "/v1/trees/t/batch", body)).status
    }
    var revision: Int?
    while revision != 1 {
      let list = try access.send(Ask(.get, "/v1/trees")).json()
      revision = list["trees"]?.elements?.first?["revision"]?.integer
    }
    let counts = schemas.map { "(SELECT count(*) FROM \($0).entries)" }.joined(separator: " + ")
    #expect(try server.sql("SELECT \(counts)", in: database) == "2")
    #expect(try batch.result() == 200)
    try lock.result()
  }

  @Test func `what is stored is checked, and copied there and back`() throws {
    let folder = try TemporaryFolder()
    let (first, second) = ("\(folder.path)/first", "\(folder.path)/second")
    #expect(try program("--check").waitForEnd().error.contains("nothing is stored here yet"))
    let program = try Program(["--port", "0", "--data", first])
    _ = try program.waitForPort()
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
    let there = try Program(["--data", first, "--copy-to", uri]).waitForEnd()
    #expect(there.status == 0 && there.error.contains("copied to postgresql://postgres:***@/"))
    let check = try self.program("--check").waitForEnd()
    #expect(check.status == 0 && check.error.contains("0 trees, 0 sessions, 0 nodes"))
    let back = try self.program("--copy-to", "sqlite:\(second)").waitForEnd()
    #expect(back.status == 0 && back.error.contains("copied to \(second)/trees.sqlite"))
  }
}
