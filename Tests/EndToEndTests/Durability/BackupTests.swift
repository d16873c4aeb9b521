import Foundation
import Glibc
import HTTP
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Copies of the database made while the program runs (sqlite.org/lang_vacuum.html#vacuuminto).
struct BackupTests {
  @Test(.enabled(if: runCommand(["sqlite3", "--version"]), "sqlite3 is not installed"))
  func `a copy made during writes is a consistent state`() throws {
    let seed = Seed.fromEnvironment()
    let program = try MortalProgram(["--snapshot-entries", "7"])
    let line = MortalLine(program, name: "first")
    let tree = #"{"tree":"written","sections":["A","B"]}"#
    #expect(try line.send(Ask(.post, "/v1/trees", tree)).status == 201)
    // Large enough that writes arrive during a copy.
    let object = String(repeating: "x", count: 1_000_000)
    let nodes = (0..<12).map { #"{"key":"\#($0)","object":"\#(object)"}"# }.joined(separator: ",")
    let large = #"{"tree":"large","nodes":[\#(nodes)]}"#
    #expect(try line.send(Ask(.post, "/v1/trees", large)).status == 201)
    defer { program.declareOver() }
    let writers = (0..<2).map { number in
      BackgroundWork {
        var work = MortalWork("writer\(number)", program, seed: seed)
        return try work.write(to: "written", number: number)
      }
    }
    let copies = try (0..<3).map { number in
      usleep(300_000)
      let mark = try Self.mark(number, line)
      return (mark, try Self.copy(of: program))
    }
    program.declareOver()
    let batches =
      try writers.flatMap { try $0.result()?.acknowledged ?? [] } + copies.map { $0.0 }
    for (mark, copy) in copies {
      let stored = try SQLiteStorage(reading: copy.path()).sharedTrees()
      let revision = try #require(stored.first { $0.id.bytes == Array("written".utf8) }?.revision)
      let other = try MortalProgram(over: copy)
      let line = MortalLine(other, name: "other")
      #expect(try line.send(Ask(.get, "/v1/trees/large")).json()["nodeCount"]?.integer == 12)
      #expect(revision >= mark.treeRevision, "acknowledged changes are in the copy")
      try SerialReplay.expectSame(
        batches.filter { $0.treeRevision <= revision },
        as: "written",
        like: tree,
        // A restored copy begins a new generation of revisions.
        at: 1_000_000,
        line,
        "SEED=\(seed)"
      )
    }
  }

  @Test func `a reader of the database does not delay the end of the program`() throws {
    let program = try MortalProgram(["--drain-seconds", "0"])
    let line = MortalLine(program, name: "first")
    #expect(try line.send(Ask(.post, "/v1/trees", #"{"tree":"a"}"#)).status == 201)
    let file = program.folder.appending(path: SQLiteStorage.fileName).path()
    var reader = try SQLiteConnection(file, .reading)
    try reader.run("BEGIN")
    #expect(try reader.rows("SELECT count(*) FROM trees") { $0.integer(0) } == [1])
    // The exit status is 0, as running work gets two more seconds.
    try program.stop()
    try reader.run("COMMIT")
    program.declareOver()
  }

  /// Inserts a node that the next copy must contain.
  private static func mark(
    _ number: Int,
    _ line: MortalLine
  ) throws -> MobileClient.Acknowledged {
    let body = Array(#"{"operations":[{"op":"insert","key":"mark\#(number)"}]}"#.utf8)
    let answer = try line.send(Ask(.post, "/v1/trees/written/batch", body)).json()
    let revision = try #require(answer["revision"]?.integer)
    return MobileClient.Acknowledged(treeRevision: revision, body: body)
  }

  /// Copies a program's database into a new folder.
  private static func copy(of program: MortalProgram) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "trees-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let name = "trees.sqlite"
    let target = folder.appending(path: name).path()
    let isCopied = runCommand([
      "sqlite3", program.folder.appending(path: name).path(), "VACUUM INTO '\(target)'",
    ])
    #expect(isCopied)
    return folder
  }
}
