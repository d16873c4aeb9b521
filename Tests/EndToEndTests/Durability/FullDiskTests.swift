import Foundation
import Glibc
import HTTP
import TestSupport
import Testing

/// The disk fills up, and has room again later.
struct FullDiskTests {
  @Test(arguments: Shortage.possible, [false, true])
  func `a full disk refuses writes and serves reads, and writes succeed once there is room`(
    shortage: Shortage,
    isKilled: Bool
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "trees-\(UUID().uuidString)").path()
    try shortage.prepare(folder)
    defer { shortage.remove(folder) }
    // The program ends before the folder is removed.
    try DiskScenario(folder, shortage).run(isKilled: isKilled)
  }

  /// Tests the reserve for deletions: deleting makes room.
  @Test(arguments: Shortage.possible.filter { $0 == .fileSystem }, [true, false])
  func `deleting a tree or its nodes makes room`(
    shortage: Shortage,
    isTree: Bool
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "trees-\(UUID().uuidString)").path()
    try shortage.prepare(folder)
    defer { shortage.remove(folder) }
    let program = try Program(
      ["--port", "0", "--data", folder, "--min-free-bytes", "\(16 << 20)"]
    )
    let access = SocketAccess(port: try program.waitForPort())
    for tree in ["full", "other"] {
      #expect(try access.send(Ask(.post, "/v1/trees", #"{"tree":"\#(tree)"}"#)).status == 201)
    }
    func insert(_ number: Int, into tree: String) throws -> (status: Int, text: String) {
      let object = String(repeating: "x", count: 100_000)
      let body = #"{"operations":[{"op":"insert","key":"\#(number)","object":"\#(object)"}]}"#
      let answer = try access.send(Ask(.post, "/v1/trees/\(tree)/batch", body))
      return (answer.status, answer.text)
    }
    var number = 0
    while number < 1_000, case let answer = try insert(number, into: "full"), answer.status == 200 {
      number += 1
    }
    let refusal = try insert(number, into: "full")
    #expect(refusal.status == 507 && refusal.text.contains("kept for what takes something away"))
    #expect(try access.send(Ask(.get, "/readyz")).status == 503)
    #expect(try access.send(Ask(.get, "/v1/trees/full")).json()["nodeCount"]?.integer == number)
    let removal = #"{"operations":[{"op":"remove","key":"0"}]}"#
    #expect(try access.send(Ask(.post, "/v1/trees/full/batch", removal)).status == 200)
    #expect(try insert(number, into: "other").status == 507)
    if isTree {
      #expect(try access.send(Ask(.delete, "/v1/trees/full")).status == 204)
    } else {
      let removals = (1..<number).map { #"{"op":"remove","key":"\#($0)"}"# }
      let removal = #"{"operations":[\#(removals.joined(separator: ","))]}"#
      #expect(try access.send(Ask(.post, "/v1/trees/full/batch", removal)).status == 200)
    }
    // Deleted data is swept in small steps.
    var (kept, refused) = (0, 0)
    while kept < 20, refused < 400 {
      let status = try insert(kept, into: "other").status
      #expect(status == 200 || status == 507)
      if status == 200 { kept += 1 } else { refused += 1 }
      if status == 507 { usleep(50_000) }
    }
    #expect(kept == 20)
    program.send(SIGTERM)
    #expect(try program.waitForEnd().status == 0)
    let another = try Program(["--port", "0", "--data", folder, "--min-free-bytes", "\(1 << 40)"])
    _ = try another.waitForPort()
    another.send(SIGTERM)
    #expect(try another.waitForEnd().error.contains("only deletions are taken"))
  }

  /// A program over a folder, and a client that knows the acknowledged nodes.
  private final class DiskScenario {
    private let folder: String
    private let shortage: Shortage
    private var program: Program
    private var access: SocketAccess
    private let session: String
    /// The keys of the acknowledged nodes, in order.
    private var keys: [String] = []
    private var next = 0
    private var lastRevision = 0

    init(_ folder: String, _ shortage: Shortage) throws {
      self.folder = folder
      self.shortage = shortage
      (program, access) = try Self.start(folder)
      session = try RemoteSession(access, "{}").path
    }

    private static func start(_ folder: String) throws -> (Program, SocketAccess) {
      let program = try Program(
        ["--port", "0", "--data", folder, "--snapshot-entries", "40", "--min-free-bytes", "0"]
      )
      return (program, SocketAccess(port: try program.waitForPort()))
    }

    func run(isKilled: Bool) throws {
      for _ in 0..<50 { #expect(try insert() == 200) }
      #expect(try access.send(Ask(.get, "/readyz")).text == #"{"status":"ready"}"#)
      try shortage.begin(in: folder, of: program.identifier, bytes: 600_000)
      try fill()
      try expectUnready()
      for _ in 0..<20 {
        let status = try insert()
        #expect([200, 503, 507].contains(status))
        try compare()
      }
      if isKilled { try restart() }
      try shortage.end(in: folder, of: program.identifier)
      try waitForRoom()
      for _ in 0..<50 { #expect(try insert() == 200) }
      try compare()
      try restart()
      try compare()
      program.send(SIGTERM)
      #expect(try program.waitForEnd().status == 0)
    }

    private func restart() throws {
      program.kill()
      (program, access) = try Self.start(folder)
      try compare()
    }

    /// Sends batches until one is refused for lack of room.
    private func fill() throws {
      for _ in 0..<1_000 where try insert() != 200 { return }
      Issue.record("the disk never filled up")
    }

    private func expectUnready() throws {
      #expect(try access.send(Ask(.get, "/healthz")).status == 200)
      // A checkpoint of the log can make room for a moment.
      let readiness = try access.send(Ask(.get, "/readyz"))
      if readiness.status == 200 { return }
      #expect(readiness.status == 503 && readiness["Retry-After"] != nil)
      let reason = try readiness.json()["reason"]?.string ?? "none"
      #expect(["storage-full", "storage-failed"].contains(reason))
    }

    /// Sends the same batch under one idempotency key until there is room for it.
    private func waitForRoom() throws {
      let token = "waits"
      for _ in 0..<600 {
        let answer = try send(token)
        if answer == 200 { return }
        next -= 1
        usleep(50_000)
      }
      Issue.record("writes did not resume")
    }

    /// Inserts two nodes in one batch and returns the status.
    private func insert() throws -> Int { try send(nil) }

    private func send(_ token: String?) throws -> Int {
      let text = String(repeating: "x", count: 10_000)
      let made = ["\(next)", "\(next)b"]
      next += 1
      let operations = made.map { #"{"op":"insert","key":"\#($0)","object":"\#(text)"}"# }
      let body = #"{"operations":[\#(operations.joined(separator: ","))]}"#
      let fields = token.map { [(name: "Idempotency-Key", value: $0)] } ?? []
      let answer = try access.send(Ask(.post, "\(session)/batch", body, fields: fields))
      if answer.status == 200 {
        #expect(answer["Idempotency-Replayed"] == nil)
        keys += made
        return 200
      }
      let code = try answer.json()["code"]?.string ?? ""
      #expect(["storage-full": 507, "storage-failed": 503][code] == answer.status, "\(answer)")
      return answer.status
    }

    /// Expects the acknowledged nodes and no others.
    private func compare() throws {
      let description = try access.send(Ask(.get, session))
      try #require(description.status == 200, "\(description.text)")
      // Revisions of lost changes are skipped.
      let revision = try #require(try description.json()["revision"]?.integer)
      #expect(revision >= max(lastRevision, keys.count / 2))
      lastRevision = revision
      let path = "\(session)/rows?offset=\(max(0, keys.count - 900))&limit=1000&fields=key"
      let rows = try access.send(Ask(.get, path)).json()["rows"]?.elements ?? []
      #expect(rows.compactMap { $0["key"]?.string } == keys.suffix(900))
    }
  }
}
