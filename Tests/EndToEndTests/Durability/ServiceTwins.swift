import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeSessions
import TreeStorage

/// A service that is restarted often, and one that never is, with equal limits. Both must answer
/// every request alike, but for the ids that they assign.
final class ServiceTwins {
  private let accesses: [any Access]
  private let context: String
  /// The ids of each service's sessions, in order of creation.
  private var sessions: [[String]] = [[], []]
  private var trees: [[String]] = [[], []]

  convenience init(every period: Int, limits: SessionLimits, context: String) throws {
    let accesses: [any Access] = [
      try RestartingAccess(every: period, limits: limits),
      RouterAccess(api: TreeAPI(service: SessionStore(limits: limits))),
    ]
    self.init(accesses, context: context)
  }

  /// Compares two ways to services that answer alike.
  init(_ accesses: [any Access], context: String) {
    self.accesses = accesses
    self.context = context
  }

  /// The number of sessions of each service.
  var sessionCount: Int { sessions[0].count }

  /// Sends a request to both services and compares the answers. Its target has names from
  /// ``name(_:)``.
  func send(_ ask: Ask) throws {
    var answers: [Answer] = []
    for (place, access) in accesses.enumerated() {
      var own = ask
      own.target = Self.replacing(names(sessions[place]).map { ($1, $0) }, in: ask.target)
      answers.append(try access.send(own))
    }
    try learn(from: answers, to: ask)
    for place in answers.indices { answers[place] = neutral(answers[place], place) }
    let isAlike =
      answers[0].status == answers[1].status && answers[0].text == answers[1].text
      && answers[0].fields.elementsEqual(answers[1].fields, by: ==)
    #expect(
      isAlike,
      """
      \(context): \(ask.method) \(ask.target) \(ask.fields)
      \(String(decoding: ask.body, as: UTF8.self))
      \(answers[0]) \(answers[0].text)
      \(answers[1]) \(answers[1].text)
      """
    )
  }

  /// Returns the keys of the rows of the newest session; empty if the session is gone.
  func keys() throws -> [String] {
    guard let id = sessions[1].last else { return [] }
    let page = try accesses[1].send(Ask(.get, "/v1/sessions/\(id)/rows?fields=key"))
    return try page.json()["rows"]?.elements?.compactMap { $0["key"]?.string } ?? []
  }

  /// Returns the placeholder for a session in targets, by its order of creation.
  static func name(_ place: Int) -> String { "~\(place)~" }

  private func names(_ ids: [String]) -> [(id: String, name: String)] {
    ids.enumerated().map { ($1, Self.name($0)) }
  }

  /// Records the ids of sessions and trees that both services created.
  private func learn(from answers: [Answer], to ask: Ask) throws {
    guard ask.method == .post, ask.target == "/v1/sessions",
      answers.allSatisfy({ $0.status == 201 })
    else { return }
    let made = try answers.map { try $0.json() }
    for (place, answer) in made.enumerated() {
      if let id = answer["session"]?.string, !sessions[place].contains(id) {
        sessions[place].append(id)
      }
      if let id = answer["tree"]?.string, id.hasPrefix("t_"), !trees[place].contains(id) {
        trees[place].append(id)
      }
    }
  }

  /// Returns an answer in which placeholders replace the ids of its service.
  private func neutral(_ answer: Answer, _ place: Int) -> Answer {
    var answer = answer
    let trees = trees[place].enumerated().map { ($1, "(\($0))") }
    answer.body = Array(Self.replacing(names(sessions[place]) + trees, in: answer.text).utf8)
    answer.fields.removeAll {
      ["Location", "Date", "X-Request-Id", "Connection"].contains($0.name)
    }
    answer.fields.sort { ($0.name, $0.value) < ($1.name, $1.value) }
    return answer
  }

  private static func replacing(_ words: [(String, String)], in text: String) -> String {
    words.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}
