import Foundation
import Testing

@testable import TreeClient

@Suite struct `The contract` {
  /// An operation of `openapi.yaml`.
  private struct Described: Equatable {
    var name: String
    var method: String
    var path: String
    var takesKey: Bool
  }

  /// The operations of `openapi.yaml`, from its lines.
  private static func described() throws -> [Described] {
    let text = try String(
      contentsOf: Repository.root.appending(path: "openapi.yaml"),
      encoding: .utf8
    )
    var found: [Described] = []
    var (path, method) = ("", "")
    var isInHead = false
    for line in text.split(separator: "\n") {
      if let match = line.wholeMatch(of: #/ {2}(/\S*):/#) { path = String(match.1) }
      if let match = line.wholeMatch(of: #/ {4}(get|put|post|patch|delete):/#) {
        method = match.1.uppercased()
      }
      if let match = line.wholeMatch(of: #/ {6}operationId: (\w+)/#) {
        let name = String(match.1)
        found.append(Described(name: name, method: method, path: path, takesKey: false))
        isInHead = true
      }
      if line == "      responses:" { isInHead = false }
      if isInHead && line.contains("parameters/idempotencyKey") {
        found[found.count - 1].takesKey = true
      }
    }
    return found
  }

  @Test func `has the operations of openapi.yaml, in their order`() throws {
    let described = try Self.described()
    #expect(described.count > 40)
    let known = Route.allCases.map {
      Described(name: $0.rawValue, method: $0.method, path: String($0.path), takesKey: $0.writes)
    }
    #expect(known == described)
  }

  /// Returns the names of the members of a schema in `openapi.yaml`.
  private static func members(of schema: String) throws -> Set<String> {
    let text = try String(
      contentsOf: Repository.root.appending(path: "openapi.yaml"),
      encoding: .utf8
    )
    let lines = text.split(separator: "\n").drop { $0 != "    \(schema):" }.dropFirst()
      .prefix { $0.hasPrefix("      ") }
    let properties = lines.drop { $0 != "      properties:" }
    return Set(properties.compactMap { $0.wholeMatch(of: #/ {8}(\w+):/#).map { String($0.1) } })
  }

  /// Returns the names of the members of a value, as a request has them.
  private static func members(of value: some Encodable) throws -> Set<String> {
    let json = try JSONCoding.decode(JSONValue.self, from: JSONCoding.encode(value))
    guard case .object(let members) = json else { return [] }
    return Set(members.keys)
  }

  @Test func `has the options of a session`() throws {
    let sort = [TreeSortDescriptor(by: "/n")]
    let options = SessionOptions(
      expansion: .all,
      order: .breadthFirst,
      viewSort: sort,
      filter: .some(nil),
      selection: .single,
      nestedExpansion: .forget,
      accordion: true,
      idleTimeoutSeconds: 9,
      sort: sort
    )
    #expect(try Self.members(of: options) == Self.members(of: "SessionPatch"))
    #expect(try Self.members(of: SessionOptions()).isEmpty)
    let ended = SessionOptions(viewSort: .some(nil))
    #expect(try JSONCoding.encode(ended) == Data(#"{"viewSort":null}"#.utf8))
    let session = NewSession(
      nodes: [],
      sections: [],
      options,
      expandedKeys: [],
      access: .view,
      state: [:]
    )
    let shared = try Self.members(of: NewSession(tree: "t"))
    #expect(try Self.members(of: session).union(shared) == Self.members(of: "NewSession"))
    let text = #"""
      {"session": "s", "tree": "t", "revision": 0, "treeRevision": 0, "rowCount": 0, \#
      "nodeCount": 0, "selectedCount": 0, "sections": [], "access": "view", "expansion": 2, \#
      "order": "depthFirst", "viewSort": [{"by": "/n"}], "selection": "none", \#
      "nestedExpansion": "forget", "accordion": true, "idleTimeoutSeconds": 0, "sort": []}
      """#
    let described = try JSONCoding.decode(SessionDescription.self, from: Data(text.utf8))
    let names = Set(Mirror(reflecting: described).children.compactMap(\.label))
    #expect(names == (try Self.members(of: "Session")).union(["secret"]))
    #expect(described.viewSort == sort)
  }

  @Test func `has the operations of a batch`() throws {
    let operations: [TreeOperation] = [
      .insert("a"), .update("a", object: 1), .remove("a"), .move("a", into: nil),
      .setChildren(of: "a", .leaf), .sort(by: []), .insertSection("A"), .removeSection("A"),
      .moveSection("A", to: 0), .renameSection("A", to: "B"), .expand("a"), .collapse("a"),
      .toggle("a"), .expandAll, .collapseAll, .reveal("a"), .select("a"), .deselect("a"),
      .clearSelection, .expandSection("A"), .collapseSection("A"),
    ]
    let text = try String(
      contentsOf: Repository.root.appending(path: "openapi.yaml"),
      encoding: .utf8
    )
    let described = text.matches(of: #/ {8}op:\n {10}type: string\n {10}const: (\w+)/#).map {
      String($0.1)
    }
    #expect(operations.map { $0.members["op"]?.string } == described)
  }

  @Test(arguments: Route.allCases)
  func `has a method for each operation, which sends it`(route: Route) async throws {
    let transport = FakeTransport { _, _ in throw TreeProblem(status: 400, code: "", detail: "") }
    let client = try client(transport)
    let session = TreeSession(client, id: "S")
    if route.path.contains("{session}") {
      try? await call(route, of: session)
    } else {
      try? await call(route, of: client)
    }
    let request = try #require(transport.sent.first)
    let values = ["tree": "T", "session": "S", "key": "K", "index": "7", "code": "C", "file": "F"]
    let path = values.reduce(String(route.path)) {
      $0.replacing("{\($1.key)}", with: $1.value)
    }
    #expect(
      request.method == route.method && request.url.path(percentEncoded: false) == path,
      "\(request)"
    )
    #expect(transport.sent.count == 1)
  }

  /// Calls the method of an operation on trees or the service.
  private func call(_ route: Route, of client: TreeClient) async throws {
    switch route {
    case .createTree: _ = try await client.createTree(NewTree("T"))
    case .listTrees: _ = try await client.listTrees()
    case .getTree: _ = try await client.getTree("T")
    case .deleteTree: try await client.deleteTree("T")
    case .getTreeNodes: _ = try await client.getTreeNodes("T", ["K"])
    case .getTreeNode: _ = try await client.getTreeNode("T", "K")
    case .listTreeChildren: _ = try await client.listTreeChildren("T", "K")
    case .listTreeRoots: _ = try await client.listTreeRoots("T")
    case .applyTreeBatch: _ = try await client.applyTreeBatch("T", [])
    case .importNodes: _ = try await client.importNodes("T", Data())
    case .exportNodes: _ = try await client.exportNodes("T")
    case .createSession: _ = try await client.createSession(NewSession(tree: "T"))
    case .getHealth: try await client.getHealth()
    case .getReadiness: try await client.getReadiness()
    case .getMetrics: _ = try await client.getMetrics()
    case .getDescription: _ = try await client.getDescription()
    case .getProblem: _ = try await client.getProblem("C")
    case .getClientFile: _ = try await client.getClientFile("F")
    case .getStart: _ = try await client.getStart()
    case .getExplorerStart: _ = try await client.getExplorerStart()
    case .getExplorer: _ = try await client.getExplorer()
    case .getExplorerFile: _ = try await client.getExplorerFile("F")
    default: Issue.record("\(route) has no method here")
    }
  }

  /// Calls the method of an operation on a session.
  private func call(_ route: Route, of session: TreeSession) async throws {
    switch route {
    case .getSession: _ = try await session.getSession()
    case .patchSession: _ = try await session.patchSession(SessionOptions())
    case .deleteSession: try await session.deleteSession()
    case .getState: _ = try await session.getState()
    case .listRows: _ = try await session.listRows()
    case .getRow: _ = try await session.getRow(7)
    case .getNodes: _ = try await session.getNodes(["K"])
    case .getNode: _ = try await session.getNode("K")
    case .putNode: try await session.putNode("K")
    case .patchNode: try await session.patchNode("K", nil)
    case .deleteNode: try await session.deleteNode("K")
    case .listChildren: _ = try await session.listChildren("K")
    case .putChildren: try await session.putChildren("K", .leaf)
    case .listRoots: _ = try await session.listRoots()
    case .putForest: try await session.putForest([])
    case .listAncestors: _ = try await session.listAncestors("K")
    case .listSections: _ = try await session.listSections()
    case .searchNodes: _ = try await session.searchNodes(SearchQuery("a"))
    case .applyBatch: try await session.applyBatch([])
    case .followChanges: _ = try await session.followChanges(since: 0)
    case .expandNode: try await session.expandNode("K")
    case .collapseNode: try await session.collapseNode("K")
    case .toggleNode: try await session.toggleNode("K")
    case .revealNode: try await session.revealNode("K")
    case .selectNode: try await session.selectNode("K")
    case .deselectNode: try await session.deselectNode("K")
    case .moveNode: try await session.moveNode("K", into: nil)
    case .expandAll: try await session.expandAll()
    case .collapseAll: try await session.collapseAll()
    case .clearSelection: try await session.clearSelection()
    default: Issue.record("\(route) has no method here")
    }
  }
}
