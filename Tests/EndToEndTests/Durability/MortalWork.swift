import Glibc
import HTTP
import TestSupport
import Testing

/// Work of a client on a program that is killed and restarted. It runs until the program is
/// declared over, and checks every answer.
struct MortalWork {
  /// The outcome of the work.
  struct Report: Sendable {
    /// The number of missing answers.
    var losses = 0
    /// The number of applied requests whose first answer was missing.
    var replays = 0
    /// The acknowledged batches on a tree with several writers.
    var acknowledged: [MobileClient.Acknowledged] = []
  }

  let name: String
  let program: MortalProgram
  private let line: MortalLine
  private var random: SeededGenerator
  private var report = Report()

  init(_ name: String, _ program: MortalProgram, seed: UInt64) {
    self.name = name
    self.program = program
    line = MortalLine(program, name: name)
    random = SeededGenerator(seed: name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
  }

  private func finish() -> Report {
    var report = report
    report.losses = line.losses
    report.replays = line.replays
    return report
  }

  /// Runs random operations on private trees and the model, and deletes the trees.
  mutating func leadPrivateTrees() throws -> Report {
    while !program.isOver {
      var path = ""
      try DifferentialRun.run(
        seed: random.next(),
        steps: random.number(in: 5...60),
        requiresNetRevisions: true,
        profile: random.choice(RandomProfile.all)
      ) { [line] options in
        let session = try RemoteSession(line, options: options)
        path = session.path
        return session
      }
      try delete(path)
    }
    return finish()
  }

  /// Runs random operations on a shared tree with several sessions, and deletes it.
  mutating func leadSharedTree() throws -> Report {
    while !program.isOver {
      try SharedTreeRun.run(
        seed: random.next(),
        steps: random.number(in: 5...40),
        profile: random.choice(RandomProfile.all),
        service: AccessService(access: line)
      )
      try delete("/v1/trees/\(SharedTreeRun.tree)")
    }
    return finish()
  }

  /// Deletes a resource. A 404 is accepted if an answer was missing.
  private func delete(_ path: String) throws {
    let losses = line.losses
    let status = try line.send(Ask(.delete, path)).status
    try #require(status == 204 || status == 404 && line.losses > losses, "\(name): \(status)")
    #expect(try line.send(Ask(.get, path)).status == 404)
  }

  /// Writes to a tree together with other writers.
  mutating func write(to tree: String, number: Int) throws -> Report {
    var writer = try Writer(number: number, tree: tree, line, random)
    while !program.isOver {
      report.acknowledged += try writer.run(batches: 1)
      // Limits the number of batches, as all are replayed at the end.
      usleep(15_000)
    }
    return finish()
  }

  /// Imports groups of nodes into a tree, and exports them in the same order.
  mutating func importNodes() throws -> Report {
    let tree = "/v1/trees/\(name)"
    var revision = 0
    while !program.isOver {
      let body = #"{"tree":"\#(name)"}"#
      let made = try line.send(Ask(.post, "/v1/trees", body))
      try #require(made.status == 201)
      #expect(try made.json()["revision"]?.integer == revision, "\(name): \(made.text)")
      var expected: [String] = []
      for group in 0..<random.number(in: 1...12) where !program.isOver {
        let keys = (0...random.number(in: 0...300)).map { "\(group).\($0)" }
        let lines = keys.map { key in
          key == keys[0] ? #"{"key":"\#(key)"}"# : #"{"key":"\#(key)","parent":"\#(keys[0])"}"#
        }
        let type = [(name: "Content-Type", value: "application/x-ndjson")]
        let text = lines.joined(separator: "\n")
        let answer = try line.send(Ask(.post, "\(tree)/import", text, fields: type))
        try #require(answer.status == 200, "\(answer.text)")
        expected += lines
        let export = try line.send(Ask(.get, "\(tree)/export")).text
        #expect(export.split(separator: "\n").count == expected.count)
        revision += 1
        let shown = try line.send(Ask(.get, tree))
        #expect(try shown.json()["revision"]?.integer == revision, "\(name): \(shown.text)")
      }
      try delete(tree)
      // The next tree of this name continues with the next revision.
      revision += 1
    }
    return finish()
  }

  /// Sends batches without idempotency keys. A batch without an answer is applied as a whole or not
  /// at all.
  mutating func writeWithoutKeys() throws -> Report {
    let session = try RemoteSession(line, #"{"nodes":[]}"#).path
    var count = 0
    var revision = 0
    while !program.isOver {
      let keys = (0..<random.number(in: 1...5)).map { "\(count).\($0)" }
      let operations = keys.map { #"{"op":"insert","key":"\#($0)"}"# }.joined(separator: ",")
      let body = #"{"operations":[\#(operations)]}"#
      if let answer = try line.sendOnce(Ask(.post, "\(session)/batch", body)) {
        try #require(answer.status == 200, "\(answer.text)")
        revision += 1
        #expect(try answer.json()["revision"]?.integer == revision)
      } else {
        let found = try keys.map { try line.send(Ask(.get, "\(session)/nodes/\($0)")).status }
        try #require(Set(found).count == 1, "\(name): the batch was applied in part: \(found)")
        guard found[0] == 200 else { continue }
        revision += 1
      }
      count += 1
      let description = try line.send(Ask(.get, session)).json()
      #expect(description["revision"]?.integer == revision)
    }
    return finish()
  }
}
