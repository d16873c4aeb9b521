import Foundation
import HTTP
import Synchronization
import Testing
import TreeDomain
import TreeEngine

@testable import TreeAPI
@testable import TreeSessions

/// Compares the example problems of the API's description with answers of the service.
struct ProblemExampleTests {
  /// A request whose answer an example shows.
  struct Case: Sendable, CustomTestStringConvertible {
    var example: String
    var method: Method
    var target: String
    var body = ""
    var fields: [(FieldName, String)] = []

    var testDescription: String { example }
  }

  /// The requests. `{s}` is a session at revision 13, on a tree that hides `apple` in `fruit`.
  private static let cases = [
    Case(
      example: "BadRequest",
      method: .post,
      target: "{s}/batch",
      body: """
        {"operations":[{"op":"expandAll"},{"op":"collapseAll"},{"op":"expandAll"},\
        {"op":"insert","kye":"quince"}]}
        """
    ),
    Case(
      example: "Forbidden",
      method: .post,
      target: "{view}/batch",
      body: #"{"operations":[{"op":"expandAll"},{"op":"remove","key":"leek"}]}"#
    ),
    Case(
      example: "SessionNotFound",
      method: .get,
      target: "/v1/sessions/s_0000000000000000000000"
    ),
    Case(example: "TreeNotFound", method: .get, target: "/v1/trees/none"),
    Case(example: "NodeNotFound", method: .get, target: "{s}/nodes/quince"),
    Case(example: "TreeNodeNotFound", method: .get, target: "/v1/trees/fruit/nodes/quince"),
    Case(
      example: "SectionNotFound",
      method: .post,
      target: "/v1/trees",
      body: #"{"sections":["A"],"nodes":[{"key":"quince","section":"B"}]}"#
    ),
    Case(
      example: "NotFoundForSession",
      method: .post,
      target: "/v1/sessions",
      body: #"{"tree":"none"}"#
    ),
    Case(example: "NodeNotVisible", method: .get, target: "{s}/rows?around=apple"),
    Case(
      example: "DuplicateKey",
      method: .post,
      target: "{s}/batch",
      body: #"{"operations":[{"op":"insert","key":"apple"}]}"#
    ),
    Case(example: "HiddenByFilter", method: .post, target: "{filtered}/nodes/apple/reveal"),
    Case(example: "TreeExists", method: .post, target: "/v1/trees", body: #"{"tree":"fruit"}"#),
    Case(example: "RevisionChanged", method: .get, target: "{s}/rows?revision=12"),
    Case(example: "SessionExpired", method: .get, target: "{expired}"),
    Case(example: "HistoryExpired", method: .get, target: "{s}/changes?since=0"),
    Case(
      example: "RevisionMismatch",
      method: .post,
      target: "{s}/collapseAll",
      fields: [(.ifMatch, #""12""#)]
    ),
    Case(example: "RangeNotSatisfiable", method: .get, target: "{s}/rows?offset=6"),
    Case(
      example: "Unprocessable",
      method: .post,
      target: "{s}/batch",
      body: """
        {"operations":[{"op":"insert","key":"quince"},{"op":"remove","key":"quince"},\
        {"op":"move","key":"fruit","parent":"apple"}]}
        """
    ),
  ]

  @Test(arguments: cases) func `the service answers each request with its example`(
    _ its: Case
  ) throws {
    let answer = try Self.prepared().send(its)
    #expect(try Self.members(answer.body) == Self.examples[its.example])
  }

  @Test func `the HTTP layer refuses content as in the example`() throws {
    let problem = RequestRejection.contentTooLarge(limit: 16 << 20).problem
    let answer = Answer(problem.response, session: "(none)", tree: "(none)")
    #expect(try Self.members(answer.body) == Self.examples["ContentTooLarge"])
  }

  @Test func `a superseded request is refused as in the example`() throws {
    let claim = PatchClaim()
    claim.supersede()
    let error = #expect(throws: ServiceError.self) { try claim.check() }
    let answer = Answer(try #require(error).response, session: "(none)", tree: "(none)")
    #expect(try Self.members(answer.body) == Self.examples["Superseded"])
  }

  @Test func `every example has a test`() {
    let seen = Set(Self.cases.map(\.example)).union(["ContentTooLarge", "Superseded"])
    #expect(Set(Self.examples.keys) == seen)
  }

  /// Returns the members of a problem, with values as text.
  private static func members(_ body: String) throws -> [String: String] {
    let object = try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
    return try #require(object).mapValues { "\($0)" }
  }

  private static let examples = APIExamples.problems

  /// A service with the resources of the cases.
  private struct Prepared {
    let api: TreeAPI
    let session: String
    let expired: String
    let view: String
    let filtered: String

    func send(_ its: Case) throws -> Answer {
      let target = its.target.replacing("{s}", with: session).replacing("{expired}", with: expired)
        .replacing("{view}", with: view).replacing("{filtered}", with: filtered)
      return try Self.send(its.method, target, its.body, its.fields, to: api)
    }

    static func send(
      _ method: Method,
      _ target: String,
      _ body: String,
      _ fields: [(FieldName, String)] = [],
      to api: TreeAPI
    ) throws -> Answer {
      let type = body.isEmpty ? [] : [(FieldName.contentType, "application/json")]
      let request = try Request(
        method: method,
        target: target,
        fields: (fields + type).fields,
        body: Array(body.utf8)
      )
      return Answer(try api.answer(to: request), session: "(none)", tree: "(none)")
    }
  }

  private static func prepared() throws -> Prepared {
    let now = Atomic(0)
    var limits = SessionLimits()
    limits.history = .none
    let store = SessionStore(limits: limits) { now.load(ordering: .relaxed) }
    let api = TreeAPI(service: store)
    let tree = """
      {"tree":"fruit","nodes":[{"key":"fruit","children":[{"key":"apple"}]},\
      {"key":"leek"},{"key":"beet"},{"key":"kale"},{"key":"chard"}]}
      """
    #expect(try Prepared.send(.post, "/v1/trees", tree, to: api).status == 201)
    let filter = #","filter":{"by":"/n","equals":1}"#
    let paths = try [(0, ""), (10, ""), (0, filter)].map { timeout, filter in
      let options =
        #"{"tree":"fruit","expansion":"none","idleTimeoutSeconds":\#(timeout)\#(filter)}"#
      let made = try Prepared.send(.post, "/v1/sessions", options, to: api)
      return try #require(made[.location])
    }
    let view = #"{"tree":"fruit","access":"view"}"#
    let viewed = try Prepared.send(.post, "/v1/sessions", view, to: api)
    for number in 0..<12 {
      let change = number % 2 == 0 ? "expandAll" : "collapseAll"
      _ = try Prepared.send(.post, "\(paths[0])/\(change)", "{}", to: api)
    }
    _ = try Prepared.send(.post, "\(paths[0])/nodes/leek/select", "{}", to: api)
    now.store(100, ordering: .relaxed)
    SessionExpiry(core: store.core).endIdle()
    let viewedPath = try #require(viewed[.location])
    return Prepared(
      api: api,
      session: paths[0],
      expired: paths[1],
      view: viewedPath,
      filtered: paths[2]
    )
  }
}
