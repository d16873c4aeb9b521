import Foundation
import Testing

import class TestSupport.TemporaryFolder

@testable import TreeClient

/// An object of the tree.
private struct Item: Decodable, Sendable, Equatable {
  var name: String
}

@Suite(.timeLimit(.minutes(20))) struct `Answers of a real service` {
  private static let forest = [
    NewNode("fruit", object: ["name": "Fruit"], ["apple", "pear"]),
    NewNode("tools", children: .unloaded(count: 3)), "stone",
  ]

  @Test func `about trees are read`() async throws {
    let service = try await Service()
    let client = try service.client()
    defer { service.kill() }
    let sort = [TreeSortDescriptor(by: "#key", .descending, compare: .natural)]
    let made = try await client.createTree(NewTree("shop", sort: sort, nodes: Self.forest))
    #expect(made.tree == "shop" && made.nodeCount == 5 && made.sort == sort)
    #expect(try await client.getTree("shop") == made)
    #expect(try await client.listTrees(limit: 10).trees == [made])
    let node = try await client.getTreeNode("shop", "fruit", as: Item.self)
    #expect(node.row.object == Item(name: "Fruit") && node.row.childCount == 2)
    let nodes = try await client.getTreeNodes("shop", ["pear", "kiwi"], fields: [.key, .depth])
    #expect(nodes.nodes.map { $0?.depth } == [1, nil])
    let children = try await client.listTreeChildren("shop", "fruit")
    #expect(children.nodes.map(\.key) == ["pear", "apple"] && children.parent == "fruit")
    let roots = try await client.listTreeRoots("shop", RangeQuery(offset: 1, limit: 1))
    #expect(roots.nodes.map(\.key) == ["stone"] && roots.childCount == 3)
    let change = try await client.applyTreeBatch("shop", [.remove("stone")], dryRun: true)
    #expect(change.nodeCount == 4 && change.applied == 1)
    let lines = Data("{\"key\": \"nuts\"}\n{\"key\": \"oak\", \"parent\": \"nuts\"}\n".utf8)
    #expect(try await client.importNodes("shop", lines).applied == 2)
    var exported = Data()
    for try await piece in try await client.exportNodes("shop") { exported += piece }
    #expect(exported.split(separator: UInt8(ascii: "\n")).count == 7)
    try await client.deleteTree("shop")
    let problem = await #expect(throws: TreeProblem.self) { _ = try await client.getTree("shop") }
    #expect(problem?.status == 404 && problem?.code == "tree-not-found")
  }

  @Test func `about a session are read`() async throws {
    let service = try await Service()
    let client = try service.client()
    defer { service.kill() }
    let filter = TreeFilter.any([
      .value(by: "/name", .contains("fr")), .not(.value(by: "#key", .equals("stone"))),
    ])
    let options = SessionOptions(
      expansion: .levels(1),
      order: .depthFirst,
      viewSort: [TreeSortDescriptor(by: "#key", .descending, compare: .auto)],
      filter: filter,
      selection: .multiple,
      nestedExpansion: .forget,
      accordion: false,
      idleTimeoutSeconds: 600
    )
    _ = try await client.createTree(NewTree("shop", nodes: Self.forest))
    let opened = NewSession(tree: "shop", options, expandedKeys: ["fruit"])
    let session = try await client.createSession(opened)
    let made = try #require(session.description)
    #expect(made.filter == filter && made.expansion == .levels(1) && made.nodeCount == 5)
    #expect(made.nestedExpansion == .forget && made.idleTimeoutSeconds == 600)
    #expect(try await session.getSession() == made)
    #expect(made.viewSort == options.viewSort)
    let patched = try await session.patch(
      SessionOptions(expansion: .all, viewSort: .some(nil), filter: .some(nil))
    )
    #expect(patched.description.filter == nil && patched.description.viewSort == nil)
    #expect(patched.changes.revision == 1)
    #expect(patched.description.expansion == .all)
    let state = try await session.getState()
    let again = try await client.createSession(
      NewSession(tree: made.tree, access: .view, state: state)
    )
    #expect(again.description?.expansion == .all && again.description?.access == .view)
    try await session.deleteSession()
    await #expect(throws: TreeProblem.self) { _ = try await session.rows() }
  }

  @Test func `about rows are read`() async throws {
    let service = try await Service()
    let client = try service.client()
    defer { service.kill() }
    let session = try await client.createSession(NewSession(nodes: Self.forest))
    let page = try await session.rows(RowsQuery(around: "pear", before: 1, after: 1))
    #expect(page.offset == 1 && page.rows.map(\.key) == ["apple", "pear", "tools"])
    #expect(page.ancestors.map(\.key) == ["fruit"] && page.rowCount == 5)
    #expect(page.rows.map(\.childState) == [.leaf, .leaf, .unloaded])
    #expect(page.rows[2].childCount == 3 && page.rows[1].parent == "fruit")
    #expect(page.rows[1].position == 1 && page.rows[1].siblingCount == 2)
    let row = try await session.getRow(0, as: Item.self).row
    #expect(row.object?.name == "Fruit" && row.isExpanded && row.visibleDescendantCount == 2)
    #expect(try await session.getNode("fruit").row.key == "fruit")
    #expect(try await session.getNodes(["a", "stone"]).nodes.map { $0?.index } == [nil, 4])
    #expect(try await session.children(of: nil).nodes.count == 3)
    #expect(try await session.listChildren("fruit").nodes.count == 2)
    #expect(try await session.listAncestors("pear").ancestors.map(\.key) == ["fruit"])
    #expect(try await session.listSections().isEmpty)
    let found = try await session.search(SearchQuery("p", by: "#key", limit: 1, count: true))
    #expect(found.matches.map(\.key) == ["apple"] && found.next == "apple" && found.total == 2)
    #expect(try await session.followChanges(since: 0).changes.isEmpty)
  }

  @Test func `to changes are read`() async throws {
    let service = try await Service()
    let client = try service.client()
    defer { service.kill() }
    let session = try await client.createSession(NewSession(nodes: Self.forest))
    let rows = ChangeOptions(rowLimit: 10, fields: [.key, .object])
    let list = try await session.insert(NewNode("fig", object: 7), into: "fruit", at: .first, rows)
    #expect(list.previousRevision == 0 && list.revision == 1 && list.rowCount == 6)
    #expect(list.changes.map(\.kind) == [.insert, .update])
    #expect(list.changes[0].rows.map(\.object) == [7] && list.changes[1].fields == ["childCount"])
    #expect(try await session.expand("tools").unloaded.isEmpty)
    try await session.collapse("tools")
    #expect(try await session.expand("tools").unloaded == ["tools"])
    try await session.batch([
      .setChildren(of: "tools", .nodes(["saw"])), .sort(childrenOf: nil, by: [.init(by: "#key")]),
      .select(["saw", "fig"]), .deselect("saw"), .move(["saw", "fig"], into: "stone"),
    ])
    #expect(try await session.reveal("saw", selecting: true).revealedIndex == 4)
    try await session.putNode(NewNode("oak", object: true), into: "stone", at: .index(0))
    try await session.patchNode("oak", ["high": true])
    try await session.moveNode("oak", into: nil, at: .before("fruit"))
    try await session.putChildren("oak", .nodes(["acorn"]))
    try await session.selectNode("oak", subtree: true)
    try await session.deselectNode("acorn")
    try await session.toggleNode("oak")
    try await session.collapseNode("stone", levels: .all)
    try await session.expandNode("stone", levels: .count(2))
    try await session.revealNode("acorn")
    try await session.clearSelection()
    try await session.collapseAll()
    try await session.expandAll()
    try await session.deleteNode("fruit")
    let keys = try await session.rows().rows.map(\.key)
    #expect(keys == ["oak", "acorn", "stone", "saw", "fig", "tools"])
    #expect(try await session.putForest(["a"]).rowCount == 1)
    #expect(await session.revision == (try await session.getSession().revision))
  }

  @Test func `are for those who show a key, or the secret of the session`() async throws {
    let folder = try TemporaryFolder()
    let key = String(repeating: "k", count: 40)
    try folder.write(Array("app:\(key)\n".utf8), to: "keys")
    let file = "\(folder.path)/keys"
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    let service = try await Service(["--storage", "memory", "--keys-file", file])
    defer { service.kill() }
    let address = try #require(URL(string: service.address))
    let owner = TreeClient(baseURL: address, credential: TreeCredential(key))
    let made = try await owner.createSession(NewSession(nodes: Self.forest))
    let secret = try #require(made.secret)
    let guest = TreeClient(baseURL: address)
    let problem = await #expect(throws: TreeProblem.self) { _ = try await guest.listTrees() }
    #expect(problem?.code == "unauthenticated")
    let session = try await guest.openSession(made.id, secret: secret)
    let view = await session.view()
    try await session.collapse("fruit")
    try await view.settled()
    let (count, status) = await (view.rowCount, view.status)
    #expect(count == 3 && status == .live)
    await view.close()
  }

  @Test func `of the service itself are read`() async throws {
    let service = try await Service()
    let client = try service.client()
    defer { service.kill() }
    try await client.getHealth()
    try await client.getReadiness()
    #expect(try await client.getMetrics().contains("# TYPE"))
    #expect(try await client.getDescription().hasPrefix("openapi: 3.1"))
    #expect(try await client.getProblem("node-not-found").contains("node-not-found"))
    #expect(try await client.getClientFile("tree-client.js").contains("TreeClient"))
    #expect(try await client.getStart().contains("<html"))
    #expect(try await client.getExplorer() == client.getExplorerFile("index.html"))
  }
}
