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

  init() throws {
    server = try PostgreSQLServer()
    let database = try server.makeDatabase()
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
