// Uses the service at an address through the client that openapi-generator makes (swift6).
import Foundation
import OpenAPIClient

/// Thrown if an answer is not the expected one.
struct Unexpected: Error {
  let text: String
}

/// Throws if the values differ.
func expectEqual<Value: Equatable>(_ actual: Value, _ expected: Value) throws {
  guard actual == expected else { throw Unexpected(text: "\(actual) is not \(expected)") }
}

func title(_ title: String) -> JSONValue { .dictionary(["title": .string(title)]) }

/// Every operation once; in the end the rows are those of the test below.
let operations: [OpenAPIClient.Operation] = [
  .typeInsertOperation(
    InsertOperation(key: "plum", object: title("Plum"), parent: "fruit", first: true)
  ),
  .typeInsertOperation(
    InsertOperation(key: "nuts", object: title("Nuts"), children: .typeString("unloaded"))
  ),
  .typeUpdateOperation(UpdateOperation(key: "apple", merge: .dictionary(["ripe": .bool(true)]))),
  .typeMoveOperation(MoveOperation(keys: ["pear", "plum"], parent: nil, before: "stone")),
  .typeSetChildrenOperation(
    SetChildrenOperation(
      key: "fruit",
      children: .typeArrayOfNewRoot([
        NewRoot(key: "apple", object: title("Apple")), NewRoot(key: "quince"),
      ])
    )
  ),
  .typeSetChildrenOperation(SetChildrenOperation(key: "lazy", children: .typeString("loading"))),
  .typeSetChildrenOperation(SetChildrenOperation(key: "folder", children: nil)),
  .typeSortOperation(SortOperation(key: .null, by: [SortDescriptor(by: "/title")])),
  .typeInsertSectionOperation(InsertSectionOperation(section: "B")),
  .typeRenameSectionOperation(RenameSectionOperation(section: "B", to: "C")),
  .typeMoveSectionOperation(MoveSectionOperation(section: "C", index: 0)),
  .typeCollapseSectionOperation(CollapseSectionOperation(section: "")),
  .typeExpandSectionOperation(ExpandSectionOperation(section: "")),
  .typeRemoveSectionOperation(RemoveSectionOperation(section: "C")),
  .typeExpandOperation(ExpandOperation(key: "fruit", levels: .typeAllLevels(.all))),
  .typeCollapseOperation(CollapseOperation(key: "fruit", levels: .typeInt(1))),
  .typeToggleOperation(ToggleOperation(key: "fruit")),
  .typeCollapseAllOperation(CollapseAllOperation()),
  .typeExpandAllOperation(ExpandAllOperation()),
  .typeRevealOperation(RevealOperation(keys: ["quince"], select: true)),
  .typeSelectOperation(SelectOperation(subtree: "fruit")),
  .typeDeselectOperation(DeselectOperation(key: "apple")),
  .typeClearSelectionOperation(ClearSelectionOperation()),
  .typeRemoveOperation(RemoveOperation(key: "stone")),
]

/// A change, described by the members of its type.
func describe(_ change: Change) -> String {
  switch change {
  case .typeDeleteChange(let it): "delete \(it.key ?? "") \(it.index)"
  case .typeInsertChange(let it): "insert \(it.key ?? "") \(it.newIndex) \(it.parent ?? "null")"
  case .typeMoveChange(let it): "move \(it.key ?? "") \(it.index) \(it.newIndex)"
  case .typeUpdateChange(let it): "update \(it.key ?? "") \(it.fields.map(\.rawValue))"
  case .typeDeleteSectionChange(let it): "deleteSection \(it.section)"
  case .typeInsertSectionChange(let it): "insertSection \(it.section)"
  case .typeMoveSectionChange(let it): "moveSection \(it.section)"
  case .typeUpdateSectionChange(let it): "updateSection \(it.section)"
  }
}

/// The entries of a change list, which a client can decline.
func entries(_ list: ChangeList) -> [Change] {
  let changes: [Change]? = list.changes
  return changes ?? []
}

func useSession() async throws {
  let nodes = [
    NewRoot(
      key: "fruit",
      object: title("Fruit"),
      children: .typeArrayOfNewNode([NewNode(key: "apple"), NewNode(key: "pear")])
    ),
    NewRoot(key: "folder", object: title("Folder"), children: .typeArrayOfNewNode([])),
    NewRoot(key: "lazy", object: title("Lazy"), children: .typeString("unloaded"), childCount: 3),
    NewRoot(key: "stone", object: .null),
  ]
  let made = try await SessionsAPI.createSession(
    newSession: NewSession(expansion: .typeExpansionRule(.all), filter: nil, nodes: nodes)
  )
  try expectEqual(made.rowCount, 6)
  try expectEqual(made.expansion, .typeExpansionRule(.all))
  try expectEqual(made.filter, nil)
  let session = made.session

  let batch = Batch(operations: operations)
  let list = try await BatchesAPI.applyBatch(session: session, batch: batch)
  let told = entries(list).map(describe)
  let expected = [
    "delete stone 5", "insert quince 4 fruit", "insert nuts 6 null", "move pear 2 0",
    "update lazy [\"childState\"]",
  ]
  for entry in expected where !told.contains(entry) {
    throw Unexpected(text: "\(entry) is not in \(told)")
  }
  try expectEqual(list.unloaded.contains("nuts"), true)

  let page = try await RowsAPI.listRows(session: session, limit: 10)
  try expectEqual(
    page.rows.map(\.key),
    ["pear", "folder", "fruit", "apple", "quince", "lazy", "nuts", "plum"]
  )
  try expectEqual(page.rows[3].object, title("Apple"))
  try expectEqual(page.rows[3].childState, .leaf)
  try expectEqual(page.rows[0].parent, nil)
  try await change(session)
  try await SessionsAPI.deleteSession(session: session)
}

func change(_ session: String) async throws {
  let put = try await BatchesAPI.putNode(
    session: session,
    key: "kiwi",
    nodeContent: NodeContent(parent: "fruit")
  )
  let moved = try await BatchesAPI.moveNode(
    session: session,
    key: "kiwi",
    destination: Destination(first: true)
  )
  try expectEqual(moved.rowCount, 9)
  for body: WantedChildren in [.typeArrayOfNewRoot([NewRoot(key: "fig")]), .typeString("failed")] {
    _ = try await BatchesAPI.putChildren(session: session, key: "lazy", body: body)
  }
  let since = try await BatchesAPI.followChanges(session: session, since: put.revision)
  let moves = entries(since).filter { if case .typeMoveChange = $0 { true } else { false } }
  try expectEqual(moves.map(describe).first?.hasPrefix("move kiwi"), true)

  let test = FilterTest(by: "/title", equals: .string("Fruit"))
  let filter = Filter.typeFilterNot(FilterNot(not: .typeFilterTest(test)))
  let filtered = try await SessionsAPI.patchSession(
    session: session,
    sessionPatch: SessionPatch(filter: filter)
  )
  guard case .typeFilterNot = filtered.filter else { throw Unexpected(text: "no such filter") }
}

func useTree() async throws {
  let tree = try await TreesAPI.createTree(newTree: NewTree(sections: ["A"])).tree
  let lines = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).ndjson")
  try Data("{\"key\":\"a\"}\n{\"key\":\"b\",\"parent\":\"a\"}\n".utf8).write(to: lines)
  defer { try? FileManager.default.removeItem(at: lines) }
  try expectEqual(try await TreesAPI.importNodes(tree: tree, body: lines).applied, 2)
  try await TreesAPI.deleteTree(tree: tree)
}

OpenAPIClientAPIConfiguration.shared.basePath = CommandLine.arguments[1]
try await useSession()
try await useTree()
