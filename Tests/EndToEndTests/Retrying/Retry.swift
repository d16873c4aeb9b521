import HTTP
import TestSupport
import Testing

/// A request that is sent as a dry run, with wrong preconditions, properly, and again.
struct Retry {
  let request: ChangingRequest
  /// The path of the session or tree.
  let place: String
  let access: any Access
  /// Reads the whole state.
  let state: () throws -> [[UInt8]]

  /// Expects that the request is applied once, when all preconditions hold, with the answer of its
  /// dry run.
  ///
  /// - Parameter revision: The current revision.
  func check(revision: Int) throws {
    let before = try state()
    let dry = try send("dryRun=true", ["Idempotency-Key": "k"])
    #expect((200...201).contains(dry.status), "\(dry.text)")
    #expect(dry["Idempotency-Replayed"] == nil)
    for tag in ["\"\(revision + 1)\"", "W/\"\(revision)\"", "\"x\""] {
      let stale = try send("", ["If-Match": tag, "Idempotency-Key": "k"])
      try expectProblem(stale, 412, "revision-mismatch", ["revision": "\(revision)"], tag)
    }
    let malformed = try send("", ["If-Match": "\(revision)"])
    try expectProblem(malformed, 400, "invalid-request")
    #expect(try state() == before, "nothing has changed")

    let fields = ["If-Match": "\"7\", \"\(revision)\"", "Idempotency-Key": "k"]
    let first = try send("", fields)
    #expect(first.status == dry.status && first.body == dry.body, "\(first.text) \(dry.text)")
    #expect(first["Location"] == dry["Location"] && first["ETag"] == dry["ETag"])
    #expect(first["Idempotency-Replayed"] == nil)
    #expect(try first.json()["revision"]?.integer == revision + 1)
    let after = try state()
    #expect(after != before)
    for _ in 0..<2 { Self.expectReplay(try send("", fields), of: first) }
    let reused = try send("dryRun=false", ["Idempotency-Key": "k"])
    try expectProblem(reused, 422, "idempotency-key-reused")
    #expect(try state() == after, "it was applied once")
  }

  /// Expects that an answer is a replay of the first one.
  static func expectReplay(
    _ answer: Answer,
    of first: Answer,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isSame =
      answer.status == first.status && answer.body == first.body
      && ["Location", "ETag", "Content-Type"].allSatisfy { answer[$0] == first[$0] }
    #expect(isSame, "\(answer.text) after \(first.text)", sourceLocation: sourceLocation)
    #expect(answer["Idempotency-Replayed"] == "true", sourceLocation: sourceLocation)
  }

  private func send(_ query: String, _ fields: [String: String]) throws -> Answer {
    try access.send(request.ask(place, query: query, fields))
  }
}
