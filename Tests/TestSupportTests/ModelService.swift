import TestSupport

/// The model as a service, with answers in JSON and with errors on demand.
final class ModelService: ServiceUnderTest {
  /// A change that a test makes to the change lists in answers.
  typealias Sabotage = (inout ChangeList) -> Void
  typealias Answer = (status: Int, body: [UInt8])

  struct Served {
    let session: ModelSession
    let tree: String
    var answers: [String: (request: [UInt8], answer: ServiceAnswer)] = [:]
  }

  let sabotage: Sabotage
  private let spoilRead: (String) -> String
  var trees: [String: ModelSharedTree] = [:]
  var sessions: [String: Served] = [:]
  private var lastNumber = 0

  init(
    sabotage: @escaping Sabotage = { _ in },
    spoilRead: @escaping (String) -> String = { $0 }
  ) {
    self.sabotage = sabotage
    self.spoilRead = spoilRead
  }

  func send(
    _ method: String,
    _ target: String,
    headers: [(name: String, value: String)],
    body: [UInt8]
  ) throws -> ServiceAnswer {
    let halves = target.split(separator: "?", maxSplits: 1)
    let path = halves[0].split(separator: "/").map(String.init)
    let query = ModelQuery(halves.count > 1 ? String(halves[1]) : "")
    if method == "POST", path.count == 2 {
      return try path[1] == "trees" ? makeTree(body) : makeSession(body)
    }
    guard path.count > 2 else { return reply(problem("route-not-found", 404)) }
    let rest = Array(path[3...])
    if path[1] == "trees" {
      guard let tree = trees[path[2]] else { return reply(problem("tree-not-found", 404)) }
      return reply(try ask(tree, path[2], method, rest, query, body))
    }
    guard let served = sessions[path[2]] else { return reply(problem("session-not-found", 404)) }
    if method == "GET" {
      let answer = try read(served.session, rest, query)
      let text = String(decoding: answer.body, as: UTF8.self)
      return reply((answer.status, Array(spoilRead(text).utf8)))
    }
    if method == "POST", rest == ["nodes", "get"] {
      return reply(try nodes(served.session, body))
    }
    if method == "DELETE" {
      sessions[path[2]] = nil
      return reply((204, []))
    }
    return try conditional(path[2], headers, Array(target.utf8) + body) {
      method == "PATCH"
        ? try patch(served.session, query, body) : try batch(served.session, query, body)
    }
  }

  private func reply(_ answer: Answer) -> ServiceAnswer {
    ServiceAnswer(status: answer.status, body: answer.body)
  }

  private func newName(_ letter: String) -> String {
    lastNumber += 1
    return "\(letter)_\(lastNumber)"
  }

  // MARK: - Making

  private func makeTree(_ body: [UInt8]) throws -> ServiceAnswer {
    let json = try RawJSON(parsing: body)
    let name = json["tree"]?.string ?? newName("t")
    trees[name] = try ModelSharedTree(ModelReader.options(json))
    let place = [(name: "Location", value: "/v1/trees/\(name)")]
    let answer = JSONText.object([("revision", JSONText.number(0))])
    return ServiceAnswer(status: 201, headers: place, body: answer)
  }

  private func makeSession(_ body: [UInt8]) throws -> ServiceAnswer {
    let json = try RawJSON(parsing: body)
    let options = ModelReader.options(json)
    let tree = json["tree"]?.string
    let shared = tree.flatMap { trees[$0] }
    let session = try shared.map { try ModelSession(options, over: $0) } ?? ModelSession(options)
    if let state = json["state"] { session.restore(state) }
    let name = newName("s")
    sessions[name] = Served(session: session, tree: tree ?? "t_private")
    let place = [(name: "Location", value: "/v1/sessions/\(name)")]
    return ServiceAnswer(status: 201, headers: place, body: [])
  }

  // MARK: - Conditions

  /// Checks the condition, and stores the answer under its idempotency key.
  private func conditional(
    _ name: String,
    _ headers: [(name: String, value: String)],
    _ request: [UInt8],
    _ answer: () throws -> Answer
  ) rethrows -> ServiceAnswer {
    let token = headers.first { $0.name == "Idempotency-Key" }?.value
    if let token, let kept = sessions[name]?.answers[token] {
      guard kept.request == request else {
        return reply(problem("idempotency-key-reused", 422))
      }
      var again = kept.answer
      again.headers.append(("Idempotency-Replayed", "true"))
      return again
    }
    let revision = sessions[name]?.session.revision ?? 0
    let match = headers.first { $0.name == "If-Match" }?.value
    if let match, !match.contains("\"\(revision)\"") {
      return reply(
        problem("revision-mismatch", 412, members: [("revision", JSONText.number(revision))])
      )
    }
    let fresh = reply(try answer())
    if let token { sessions[name]?.answers[token] = (request, fresh) }
    return fresh
  }

  func problem(
    _ code: String,
    _ status: Int,
    operation: Int? = nil,
    members extra: [(String, [UInt8])] = []
  ) -> Answer {
    var members = [
      ("type", JSONText.string("/problems/\(code)")), ("status", JSONText.number(status)),
      ("code", JSONText.string(code)),
    ]
    if let operation { members.append(("operation", JSONText.number(operation))) }
    return (status, JSONText.object(members + extra))
  }
}
