import HTTP
import Testing

@testable import TreeAPI
@testable import TreeDomain

extension OperationName {
  /// A valid operation for the tree of the tests, and true if it changes data by the contract.
  fileprivate var sample: (members: String, changesData: Bool) {
    switch self {
    case .insert: (#""key":"n","section":"A""#, true)
    case .update: (#""key":"a","object":1"#, true)
    case .remove: (#""key":"b""#, true)
    case .move: (#""key":"b","parent":null"#, true)
    case .setChildren: (#""key":"a","children":[]"#, true)
    case .sort: (##""by":[{"by":"#key","direction":"descending"}]"##, true)
    case .insertSection: (#""section":"C""#, true)
    case .removeSection: (#""section":"B""#, true)
    case .moveSection: (#""section":"B","index":0"#, true)
    case .renameSection: (#""section":"B","to":"C""#, true)
    case .expand, .collapse, .toggle: (#""key":"a""#, false)
    case .expandAll, .collapseAll, .clearSelection: ("", false)
    case .reveal, .select, .deselect: (#""key":"b""#, false)
    case .expandSection, .collapseSection: (#""section":"A""#, false)
    // Batches cannot contain this operation.
    case .put: ("", true)
    }
  }

  fileprivate var json: String {
    let members = sample.members
    return #"{"op":"\#(rawValue)"\#(members.isEmpty ? "" : ",")\#(members)}"#
  }

  fileprivate static let ofBatches = allCases.filter { $0 != .put }
}

/// A session with `"access": "view"`, and its kinds of callers.
private struct Viewer {
  /// The credentials of the caller: a session secret, a key, or none without keys.
  enum Way: CaseIterable { case secret, readKey, noKeys }

  static let admin = "admin-0123456789"
  private static let tree = """
    {"tree":"t","sections":["A","B"],"nodes":[{"key":"a","section":"A","children":[{"key":"b"}]},\
    {"key":"c","section":"A"},{"key":"d","section":"B"}]}
    """

  let gate: Gate
  let path: String
  private let token: String?

  init(_ way: Way, _ options: String = #""tree":"t""#) throws {
    let readKey = "reader-0123456789"
    gate = try Gate { settings in
      settings.keys = AccessKeys()
      guard way != .noKeys else { return }
      try settings.keys.add(lines: Array("a:\(Self.admin)\nr:\(readKey):read".utf8))
    }
    #expect(try gate.send(.post, "/v1/trees", Self.tree, token: Self.admin).status == 201)
    let body = #"{"access":"view",\#(options)}"#
    let made = try gate.send(.post, "/v1/sessions", body, token: Self.admin)
    path = try #require(made[.location])
    token = way == .secret ? made.member("secret") : way == .readKey ? readKey : nil
  }

  func send(
    _ method: HTTP.Method,
    _ target: String,
    _ body: String = "",
    _ fields: [(FieldName, String)] = []
  ) throws -> Answer {
    try gate.send(method, path + target, body, token: token, fields)
  }

  /// Expects the refusal of a change of data.
  func expectRefused(_ answer: Answer, at operation: Int?, _ label: String) throws {
    #expect(answer.status == 403 && answer.code == "forbidden", "\(label): \(answer.body)")
    let member = operation.map { #""operation":\#($0)"# } ?? #""operation":"#
    #expect(answer.body.contains(member) == (operation != nil), "\(label): \(answer.body)")
    #expect((answer[.wwwAuthenticate] != nil) == (token != nil))
    #expect(try gate.send(.get, "/v1/trees/t", token: Self.admin)[.eTag] == "\"0\"")
  }
}

@Suite struct `A session with access view` {
  @Test(arguments: Viewer.Way.allCases, OperationName.ofBatches)
  fileprivate func `is refused all operations that change data, and no others`(
    way: Viewer.Way,
    name: OperationName
  ) throws {
    let viewer = try Viewer(way)
    for (query, fields) in [
      ("", []), ("?dryRun=true", []), ("", [(FieldName.idempotencyKey, "1")]),
      ("", [(FieldName.ifMatch, "\"77\"")]),
    ] {
      let batch = #"{"operations":[{"op":"collapseAll"},\#(name.json)]}"#
      let answer = try viewer.send(.post, "/batch" + query, batch, fields)
      if name.sample.changesData {
        try viewer.expectRefused(answer, at: 1, "\(name)")
        // The whole batch was rolled back.
        #expect(try viewer.send(.get, "")[.eTag] == "\"0\"")
      } else {
        #expect(answer.status == (fields.last?.1 == "\"77\"" ? 412 : 200), "\(answer.body)")
      }
    }
    guard way != .noKeys else { return }
    // The secret has the access of the session, and a key has its own scopes.
    let batch = #"{"operations":[\#(name.json)]}"#
    let answer = try viewer.gate.send(.post, viewer.path + "/batch", batch, token: Viewer.admin)
    #expect(answer.status == 200, "\(answer.body)")
  }

  @Test(arguments: OperationName.allCases)
  fileprivate func `depends on the property changesData of operations`(name: OperationName) throws {
    let batch =
      name == .put
      ? try Batch.decode(.put, key: [0x61], body: Array("{}".utf8))
      : try Batch.decode(body: Array(#"{"operations":[\#(name.json)]}"#.utf8))
    #expect(batch.operations.map(\.changesData) == [name.sample.changesData])
  }

  @Test(arguments: Viewer.Way.allCases)
  fileprivate func `may patch its options, but not its access or a private tree's sort`(
    way: Viewer.Way
  ) throws {
    let viewer = try Viewer(way, #""nodes":[{"key":"a"}]"#)
    for (member, value) in [
      ("expansion", "1"), ("order", "\"breadthFirst\""), ("selection", "\"none\""),
      ("filter", #"{"by":"/t","equals":1}"#), ("nestedExpansion", "\"forget\""),
      ("accordion", "true"), ("idleTimeoutSeconds", "60"), ("viewSort", ##"[{"by":"#key"}]"##),
    ] {
      let answer = try viewer.send(.patch, "", #"{"\#(member)":\#(value)}"#)
      #expect(answer.status == 200 && answer.member("access") == "view", "\(answer.body)")
    }
    for query in ["", "?dryRun=true"] {
      let answer = try viewer.send(.patch, query, ##"{"accordion":false,"sort":[{"by":"#key"}]}"##)
      try viewer.expectRefused(answer, at: nil, "sort")
    }
    #expect(try viewer.send(.get, "").body.contains(#""accordion":true"#))
    let raised = try viewer.send(.patch, "", #"{"access":"write"}"#)
    #expect(raised.status == 400 && raised.member("pointer") == "/access")
    #expect(try viewer.send(.get, "").member("access") == "view")
  }

  @Test(arguments: Viewer.Way.allCases)
  fileprivate func `has no access in its state, and may be deleted`(
    way: Viewer.Way
  ) throws {
    let viewer = try Viewer(way)
    let state = try viewer.send(.get, "/state")
    #expect(state.status == 200 && !state.body.contains("access"))
    let body = #"{"tree":"t","state":\#(state.body)}"#
    let twin = try viewer.gate.send(.post, "/v1/sessions", body, token: Viewer.admin)
    #expect(twin.status == 201 && twin.member("access") == "write")
    #expect(try viewer.send(.delete, "").status == 204)
    #expect(try viewer.gate.send(.get, "/v1/trees/t", token: Viewer.admin).status == 200)
  }

  @Test func `shows the changes of other sessions`() throws {
    let viewer = try Viewer(.secret)
    let batch = #"{"operations":[{"op":"remove","key":"b"}]}"#
    let tree = try viewer.gate.send(.post, "/v1/trees/t/batch", batch, token: Viewer.admin)
    #expect(tree.status == 200)
    let changes = try viewer.send(.get, "/changes?since=0")
    #expect(changes.status == 200 && changes.body.contains(#""type":"delete""#))
  }
}
