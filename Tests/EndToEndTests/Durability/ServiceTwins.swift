import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeSessions
import TreeStorage

/// A service that is started anew again and again, and one that never is, with the same limits:
/// whatever they are asked, they answer alike, but for the ids they give out.
final class ServiceTwins {
  private let accesses: [any Access]
  private let context: String
  /// The ids of the sessions that each has made, in that order, and of their own trees.
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

  /// How many sessions each has made.
  var sessionCount: Int { sessions[0].count }

  /// Asks both the same, which names sessions as ``name(_:)`` does, and compares what they answer.
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

  /// The keys of the last session's rows; none where it is gone.
  func keys() throws -> [String] {
    guard let id = sessions[1].last else { return [] }
    let page = try accesses[1].send(Ask(.get, "/v1/sessions/\(id)/rows?fields=key"))
    return try page.json()["rows"]?.elements?.compactMap { $0["key"]?.string } ?? []
  }

  /// The name under which a session is asked for, by its place among those that were made.
  static func name(_ place: Int) -> String { "~\(place)~" }

  private func names(_ ids: [String]) -> [(id: String, name: String)] {
    ids.enumerated().map { ($1, Self.name($0)) }
  }

  /// Notes the ids of what was made by both.
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

  /// An answer without what is each one's own.
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
