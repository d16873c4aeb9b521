@testable import TestSupport

// Requests that read a session.
extension ModelService {
  func read(_ session: ModelSession, _ path: [String], _ query: ModelQuery) throws -> Answer {
    switch (path.first, path.count) {
    case (nil, _): return (200, JSONText.object(counts(session) + session.descriptionMembers))
    case ("rows", 1): return page(session, query)
    case ("rows", _): return single(Int(path[1]).flatMap { row(of: session, at: $0) })
    case ("children", _): return children(session, query.key("parent"), query)
    case ("sections", _): return (200, JSONText.array(session.sections.map(\.json)))
    case ("state", _): return (200, JSONText.object(session.stateMembers))
    case ("search", _): return search(session, query)
    case ("changes", _): return changes(session, query)
    default: break
    }
    let key = ModelQuery.decoded(path[1])
    guard let row = session.row(of: key), let ancestors = session.ancestors(of: key) else {
      return problem("node-not-found", 404)
    }
    switch path.last {
    case "children" where path.count == 3: return children(session, key, query)
    case "ancestors" where path.count == 3:
      return (200, JSONText.object([("ancestors", pathJSON(ancestors, query))]))
    default: return single(row)
    }
  }

  /// Returns the nodes of the keys in the body.
  func nodes(_ session: ModelSession, _ body: [UInt8]) throws -> Answer {
    let keys = try RawJSON(parsing: body)["keys"]?.elements?.compactMap(\.key) ?? []
    let rows = keys.map { session.row(of: $0)?.json() ?? Array("null".utf8) }
    return (200, JSONText.object([("nodes", JSONText.array(rows))]))
  }

  private func page(_ session: ModelSession, _ query: ModelQuery) -> Answer {
    guard query.isRowQuery else { return problem("invalid-request", 400) }
    let rows = session.rows
    var (offset, limit) = (query.integer("offset") ?? 0, query.integer("limit") ?? 100)
    if let around = query.key("around") {
      guard let row = session.row(of: around) else { return problem("node-not-found", 404) }
      guard let index = row.index else { return problem("node-not-visible", 404) }
      offset = max(0, index - (query.integer("before") ?? 0))
      limit = index + (query.integer("after") ?? 0) + 1 - offset
    }
    guard offset <= rows.count else { return problem("range-not-satisfiable", 416) }
    let fields = query.values["fields"]?.split(separator: ",").map(String.init)
    let page = rows.dropFirst(offset).prefix(limit)
    let all = page.first.flatMap { session.ancestors(of: $0.key) } ?? []
    let ancestors = Array(all.suffix(query.integer("ancestors") ?? all.count))
    return (
      200,
      JSONText.object(
        counts(session) + [
          ("offset", JSONText.number(offset)), ("ancestors", pathJSON(ancestors, query)),
          ("rows", JSONText.array(page.map { $0.json(fields: fields) })),
        ]
      )
    )
  }

  private func children(_ session: ModelSession, _ key: ModelKey?, _ query: ModelQuery) -> Answer {
    let section = query.key("section")
    guard let nodes = session.children(of: key, section: section) else {
      return problem("section-not-found", 404)
    }
    let count = key == nil ? nodes.count : key.flatMap(session.row)?.childCount
    let offset = query.integer("offset") ?? 0
    guard offset <= nodes.count else { return problem("range-not-satisfiable", 416) }
    let range = nodes.dropFirst(offset).prefix(query.integer("limit") ?? 100)
    return (
      200,
      JSONText.object([
        ("parent", JSONText.key(key)), ("childCount", JSONText.number(count)),
        ("offset", JSONText.number(offset)), ("nodes", JSONText.array(range.map { $0.json() })),
      ])
    )
  }

  private func search(_ session: ModelSession, _ query: ModelQuery) -> Answer {
    let matches = session.search(
      query.key("q")?.description ?? "",
      by: query.key("by")?.description
    )
    let after = query.key("after").flatMap { key in matches.firstIndex { $0.key == key } }
    let rest = matches.dropFirst(after.map { $0 + 1 } ?? 0)
    let page = rest.prefix(query.integer("limit") ?? 20)
    let next = page.count < rest.count ? page.last?.key : nil
    let total = query.values["count"] == nil ? [] : [("total", JSONText.number(matches.count))]
    return (
      200,
      JSONText.object(
        [
          ("matches", JSONText.array(page.map { $0.json() })), ("next", JSONText.key(next)),
        ] + total
      )
    )
  }

  private func counts(_ session: ModelSession) -> [(String, [UInt8])] {
    [
      ("revision", JSONText.number(session.revision)),
      ("treeRevision", JSONText.number(session.shared.revision)),
      ("rowCount", JSONText.number(session.rows.count)),
      ("nodeCount", JSONText.number(session.nodeCount)),
    ]
  }

  private func row(of session: ModelSession, at index: Int) -> ModelRow? {
    session.rows.indices.contains(index) ? session.rows[index] : nil
  }

  private func single(_ row: ModelRow?) -> Answer {
    row.map { (200, $0.json()) } ?? problem("range-not-satisfiable", 416)
  }

  private func pathJSON(_ ancestors: [ModelRow], _ query: ModelQuery) -> [UInt8] {
    let fields = query.values["fields"]?.split(separator: ",").map(String.init)
    return JSONText.array(ancestors.map { $0.json(fields: fields ?? ["key", "index", "depth"]) })
  }
}
