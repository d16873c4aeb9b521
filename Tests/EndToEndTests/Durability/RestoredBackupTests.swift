import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

@testable import TreeStorage

/// Makes and restores backups as the page "Backups" says. Clients with later revisions get an
/// error.
@Suite(.serialized) struct RestoredBackupTests {
  /// The ways to replace the database with a backup.
  enum RestoreMethod: CaseIterable {
    case intoEmptyFolder
    case over
    case into
    case wholeFolder
  }

  /// The resources that a client knew when the backup was restored.
  private struct KnownResources {
    /// The paths of a session on a private tree, and of one on the shared tree.
    var sessions: [String]
    /// The resources that are read with entity tags.
    var reads: [String] { sessions.flatMap { [$0, $0 + "/rows"] } + ["/v1/trees/t"] }
  }

  private let data = FileManager.default.temporaryDirectory
    .appending(path: "trees-\(UUID().uuidString)").path()

  /// Runs a program over a folder until SIGTERM or SIGKILL.
  ///
  /// - Returns: The standard error; nil if the program was killed.
  @discardableResult
  private func run(
    _ data: String,
    isKilled: Bool = false,
    _ body: (SocketAccess, UInt16) throws -> Void
  ) throws -> String? {
    let program = try Program(["--port", "0", "--data", data])
    let port = try program.waitForPort()
    try body(SocketAccess(port: port), port)
    guard !isKilled else {
      program.kill()
      return nil
    }
    program.send(SIGTERM)
    let ending = try program.waitForEnd()
    #expect(ending.status == 0, "\(ending.error)")
    return ending.error
  }

  private func write(_ access: any Access, _ known: KnownResources, _ keys: [String]) throws {
    for key in keys {
      for session in known.sessions {
        let body = #"{"operations":[{"op":"insert","key":"\#(key)"}]}"#
        try #require(try access.send(Ask(.post, session + "/batch", body)).status == 200)
      }
    }
  }

  /// Makes a backup as the page "Backups" says, with the SQLite library.
  private func backUp(to path: String) throws {
    var connection = try SQLiteConnection("\(data)/trees.sqlite", .writing)
    try connection.run("VACUUM INTO '\(path)'")
    try FileManager.default.copyItem(
      atPath: "\(data)/generation",
      toPath: path + ".generation"
    )
  }

  /// Replaces the database with a backup.
  ///
  /// - Returns: The folder of the restored database.
  private func restore(_ backup: String, _ method: RestoreMethod) throws -> String {
    let files = FileManager.default
    switch method {
    case .intoEmptyFolder:
      let empty = data + "-\(UUID().uuidString)"
      try files.createDirectory(atPath: empty, withIntermediateDirectories: true)
      try files.copyItem(atPath: backup, toPath: "\(empty)/trees.sqlite")
      return empty
    case .over:
      try files.copyItem(atPath: backup, toPath: "\(data)/copy")
      #expect(runCommand(["mv", "\(data)/copy", "\(data)/trees.sqlite"]))
    case .into: #expect(runCommand(["cp", backup, "\(data)/trees.sqlite"]))
    case .wholeFolder:
      for (copy, name) in [(backup, "trees.sqlite"), (backup + ".generation", "generation")] {
        #expect(runCommand(["cp", "-a", copy, "\(data)/\(name)"]))
      }
    }
    for suffix in ["-wal", "-shm"] {
      try? files.removeItem(atPath: "\(data)/trees.sqlite" + suffix)
    }
    return data
  }

  /// Writes two batches, makes a backup, and writes three more batches.
  private func writeAroundBackup(_ backup: String) throws -> KnownResources {
    var known = KnownResources(sessions: [])
    try run(data) { access, _ in
      #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"t"}"#)).status == 201)
      known.sessions = try ["{}", #"{"tree":"t"}"#].map { try RemoteSession(access, $0).path }
      try write(access, known, ["a", "b"])
      try backUp(to: backup)
      try write(access, known, ["lost1", "lost2", "lost3"])
      for path in known.reads {
        #expect(try access.send(Ask(.get, path))["ETag"] == "\"5\"")
      }
    }
    return known
  }

  private func expectNewGeneration(
    _ access: SocketAccess,
    _ port: UInt16,
    _ known: KnownResources,
    since: [Int],
    start: Int
  ) throws {
    for session in known.sessions {
      for since in since {
        let list = try access.send(Ask(.get, session + "/changes?since=\(since)&wait=1"))
        let rows = "\(try RemoteSession.rowCount(access, session))"
        let expected = ["revision": "\(start + 4)", "rowCount": rows]
        try expectProblem(list, 410, "history-expired", expected)
        let stream = try EventStreamClient(port: port, session, lastID: since)
        let reset = try #require(try stream.next())
        #expect(reset.type == "reset" && reset.id == "\(start + 4)")
      }
      let list = try access.send(Ask(.get, session + "/changes?since=\(start)")).json()
      #expect(list["changes"]?.elements?.count == 4, "the history begins with the generation")
    }
    for path in known.reads {
      for since in since {
        let tag = [(name: "If-None-Match", value: "\"\(since)\"")]
        let answer = try access.send(Ask(.get, path, fields: tag))
        #expect(answer.status == 200 && answer["ETag"] == "\"\(start + 4)\"", "\(path)")
      }
    }
    for path in known.sessions + ["/v1/trees/t"] {
      for since in since {
        let body = #"{"operations":[{"op":"remove","key":"a"}]}"#
        let condition = [(name: "If-Match", value: "\"\(since)\"")]
        let answer = try access.send(Ask(.post, path + "/batch", body, fields: condition))
        try expectProblem(answer, 412, "revision-mismatch", ["revision": "\(start + 4)"])
      }
    }
  }

  @Test(arguments: RestoreMethod.allCases, [false, true])
  func `clients with revisions of a lost generation get an error`(
    method: RestoreMethod,
    isKilled: Bool
  ) throws {
    defer { try? FileManager.default.removeItem(atPath: data) }
    let backup = data + ".backup"
    defer {
      for name in [backup, backup + ".generation"] {
        try? FileManager.default.removeItem(atPath: name)
      }
    }
    let known = try writeAroundBackup(backup)
    let restored = try restore(backup, method)
    defer { try? FileManager.default.removeItem(atPath: restored) }
    let error = try run(restored, isKilled: isKilled) { access, port in
      for path in known.reads {
        #expect(try access.send(Ask(.get, path))["ETag"] == "\"1000000\"")
      }
      let trees = try access.send(Ask(.get, "/v1/trees")).json()["trees"]?.elements
      #expect(trees?.compactMap { $0["revision"]?.integer } == [1_000_000])
      try write(access, known, ["other1", "other2", "other3", "other4"])
      try expectNewGeneration(access, port, known, since: [0, 1, 2, 5, 6], start: 1_000_000)
    }
    if let error {
      let sentence = "tree-server: \(restored)/trees.sqlite is not the database that"
      #expect(error.contains(sentence) && error.contains("go on at 1000000"), "\(error)")
    }
    // The next start begins no new generation.
    let next = try run(restored) { access, port in
      try expectNewGeneration(access, port, known, since: [0, 2, 5], start: 1_000_000)
    }
    #expect(next?.contains("is not the database") == false)
    guard method != .intoEmptyFolder else { return }
    _ = try restore(backup, method)
    try run(data) { access, port in
      try write(access, known, ["third1", "third2", "third3", "third4"])
      let since = [0, 5, 1_000_000, 1_000_002, 1_000_004, 1_000_009]
      try expectNewGeneration(access, port, known, since: since, start: 2_000_000)
    }
  }

  @Test func `a check reports a restored backup and begins no generation`() throws {
    defer { try? FileManager.default.removeItem(atPath: data) }
    let backup = data + ".backup"
    defer {
      for name in [backup, backup + ".generation"] {
        try? FileManager.default.removeItem(atPath: name)
      }
    }
    _ = try writeAroundBackup(backup)
    _ = try restore(backup, .into)
    for _ in 0..<2 {
      let ending = try Program(["--check", "--data", data]).waitForEnd()
      #expect(ending.status == 0)
      #expect(ending.error.contains("not the database that this folder had last"))
    }
    try run(data) { access, _ in
      let tag = try access.send(Ask(.get, "/v1/trees/t"))["ETag"]
      #expect(tag == "\"1000000\"")
    }
    let after = try Program(["--check", "--data", data]).waitForEnd()
    #expect(after.status == 0 && !after.error.contains("not the database"))
  }
}

extension RemoteSession {
  fileprivate static func rowCount(_ access: any Access, _ path: String) throws -> Int {
    try #require(try access.send(Ask(.get, path)).json()["rowCount"]?.integer)
  }
}
