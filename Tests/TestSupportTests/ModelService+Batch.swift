@testable import TestSupport

// Requests that change data.
extension ModelService {
  func batch(_ session: ModelSession, _ query: ModelQuery, _ body: [UInt8]) throws -> Answer {
    let before = session.picture
    let revision = session.revision
    let isDryRun = query.values["dryRun"] == "true"
    let trial = isDryRun ? session.copy() : session
    let outcome: ModelOutcome
    let operations = try ModelReader.batch(body)
    do {
      outcome = try trial.apply(operations)
    } catch {
      return problem(error.code.rawValue, error.code.status, operation: error.operation)
    }
    let list = list(of: trial, query, from: before, since: revision, outcome.moves)
    let revealed = ModelOperation.revealedKey(by: operations).map { key in
      [("index", JSONText.number(trial.row(of: key)?.index))]
    }
    return (200, JSONText.object(list.members + (revealed ?? [])))
  }

  func patch(_ session: ModelSession, _ query: ModelQuery, _ body: [UInt8]) throws -> Answer {
    let before = session.picture
    let revision = session.revision
    let outcome = session.patch(ModelReader.patch(try RawJSON(parsing: body)))
    let list = list(of: session, query, from: before, since: revision, outcome.moves)
    return (200, JSONText.object(list.members + session.descriptionMembers))
  }

  func changes(_ session: ModelSession, _ query: ModelQuery) -> Answer {
    guard let since = query.integer("since") else { return problem("invalid-request", 400) }
    guard since <= session.revision else {
      let members = [
        ("revision", JSONText.number(session.revision)),
        ("rowCount", JSONText.number(session.rows.count)),
      ]
      return problem("history-expired", 410, members: members)
    }
    let moves = session.moves(since: since)
    var list = list(of: session, query, from: session.picture(at: since), since: since, moves)
    list.origin = session.origin(since: since)
    return (200, JSONText.object(list.members))
  }

  private func list(
    of session: ModelSession,
    _ query: ModelQuery,
    from before: ModelPicture,
    since revision: Int,
    _ moves: ModelMoves
  ) -> ChangeList {
    let reference = ReferenceChangeList(before: before, after: session.picture, moves: moves)
    let isRanges = query.values["changes"] == "ranges"
    let hasRows = query.values["include"] == "rows"
    var list =
      query.values["sections"] == "true"
      ? reference.sectionedList(ranges: isRanges, includeRows: hasRows)
      : reference.list(ranges: isRanges, includeRows: hasRows)
    list.previousRevision = revision
    list.revision = session.revision
    list.treeRevision = session.shared.revision
    list.rowCount = session.rows.count
    list.nodeCount = session.nodeCount
    if query.values["changes"] == "none" { (list.format, list.entries) = (.none, []) }
    sabotage(&list)
    return list
  }

  // MARK: - Trees

  func ask(
    _ tree: ModelSharedTree,
    _ name: String,
    _ method: String,
    _ path: [String],
    _ query: ModelQuery,
    _ body: [UInt8]
  ) throws -> Answer {
    if method == "POST" { return try batch(tree, name, body) }
    let origin = [("tree", JSONText.string(name)), ("revision", JSONText.number(tree.revision))]
    switch (path.first, path.count) {
    case (nil, _): return (200, JSONText.object(origin + tree.descriptionMembers))
    case ("children", _): return children(of: nil, tree, origin, query)
    case ("nodes", 2):
      guard let node = tree.nodeMembers(of: ModelQuery.decoded(path[1])) else {
        return problem("node-not-found", 404)
      }
      return (200, JSONText.object(origin + [("node", JSONText.object(node))]))
    default: return children(of: ModelQuery.decoded(path[1]), tree, origin, query)
    }
  }

  private func batch(_ tree: ModelSharedTree, _ name: String, _ body: [UInt8]) throws -> Answer {
    let operations = try ModelReader.batch(body)
    let revision = tree.revision
    do {
      try tree.apply(operations)
    } catch {
      return problem(error.code.rawValue, error.code.status, operation: error.operation)
    }
    return (
      200,
      JSONText.object([
        ("tree", JSONText.string(name)), ("previousRevision", JSONText.number(revision)),
        ("revision", JSONText.number(tree.revision)),
        ("nodeCount", JSONText.number(tree.nodeCount)),
        ("applied", JSONText.number(operations.count)),
      ])
    )
  }

  private func children(
    of key: ModelKey?,
    _ tree: ModelSharedTree,
    _ origin: [(String, [UInt8])],
    _ query: ModelQuery
  ) -> Answer {
    guard let nodes = tree.childMembers(of: key) else { return problem("node-not-found", 404) }
    let offset = query.integer("offset") ?? 0
    let range = nodes.dropFirst(offset).prefix(query.integer("limit") ?? 100)
    return (
      200,
      JSONText.object(
        origin + [
          ("parent", JSONText.key(key)), ("offset", JSONText.number(offset)),
          ("nodes", JSONText.array(range.map { JSONText.object($0) })),
        ]
      )
    )
  }
}
