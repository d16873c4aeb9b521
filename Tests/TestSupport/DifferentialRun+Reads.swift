extension DifferentialRun {
  /// Compares all reads of the session, for random nodes or for every node.
  mutating func compareReads(everyNode: Bool) throws {
    story.after = model.picture
    if operations.profile.has(.views) { try compareViews() }
    try compareDescription()
    try compareAllPages()
    try compareRandomPage()
    try comparePageBounds()
    let absent: ModelKey = "nowhere"
    let few = model.keys.shuffled(using: &operations.random).prefix(everyNode ? .max : 3)
    try compareChildren(of: nil)
    for key in few + [absent] {
      try compareNode(key)
      try compareAncestors(of: key)
      try compareChildren(of: key)
      try compareWindow(around: key)
    }
    for index in Set([
      0, max(story.after.rows.count, 1) - 1, story.after.rows.count / 2, story.after.rows.count,
    ]) {
      try compareRow(at: index)
    }
  }

  private func compareDescription() throws {
    let session = try json(try subject.get(""), status: 200, of: "the session")
    try expectMember("revision", revision, in: session, of: "the session")
    try expectMember("treeRevision", treeRevision, in: session, of: "the session")
    try expectMember("rowCount", story.after.rows.count, in: session, of: "the session")
    try expectMember("nodeCount", model.nodeCount, in: session, of: "the session")
  }

  // MARK: - Pages

  /// Checks that pages of a random size concatenate to all rows.
  private mutating func compareAllPages() throws {
    let limit = operations.random.number(in: 1...12)
    var offset = 0
    repeat {
      let path = "/rows?offset=\(offset)&limit=\(limit)"
      try comparePage(path, offset: offset, count: limit)
      offset += limit
    } while offset < story.after.rows.count
    try comparePage("/rows", offset: 0, count: 100)
  }

  private mutating func compareRandomPage() throws {
    let offset = operations.random.number(in: 0...story.after.rows.count)
    let limit = operations.random.number(in: 1...1000)
    let count = operations.random.number(in: 1...4)
    let names = operations.profile.has(.views) ? ModelRow.allFieldNames : ModelRow.fieldNames
    let fields = Array(names.shuffled(using: &operations.random).prefix(count))
    let ancestors = operations.random.element(of: [nil, nil, 0, 1, 2, 9]) ?? nil
    let parameter = ancestors.map { "&ancestors=\($0)" } ?? ""
    let rows = "/rows?offset=\(offset)&limit=\(limit)\(parameter)"
    try comparePage(rows, offset: offset, count: limit, ancestors: ancestors)
    let path = "\(rows)&fields=\(fields.joined(separator: ","))"
    try comparePage(path, offset: offset, count: limit, fields: fields, ancestors: ancestors)
  }

  private func comparePageBounds() throws {
    let rowCount = story.after.rows.count
    try comparePage(
      "/rows?offset=\(rowCount)",
      offset: rowCount,
      count: 1
    )
    let beyond = try subject.get("/rows?offset=\(rowCount + 1)")
    _ = try json(beyond, status: 416, of: "rows beyond the last")
    for query in [
      "limit=0", "limit=1001", "offset=-1", "offset=x", "fields=nothing", "colour=red",
      "around=k1&offset=0",
    ] {
      let problem = try json(try subject.get("/rows?\(query)"), status: 400, of: "rows?\(query)")
      try expect(problem["code"]?.string == "invalid-request", "rows?\(query): \(problem.text)")
    }
  }

  private func comparePage(
    _ path: String,
    offset: Int,
    count: Int,
    fields: [String]? = nil,
    ancestors limit: Int? = nil
  ) throws {
    let page = try json(try subject.get(path), status: 200, of: path)
    try expectMember("revision", revision, in: page, of: path)
    try expectMember("rowCount", story.after.rows.count, in: page, of: path)
    try expectMember("offset", offset, in: page, of: path)
    let expected = Array(story.after.rows.dropFirst(offset).prefix(count))
    try compareRows(page["rows"]?.elements, expected, fields: fields, of: path)
    let all = expected.first.flatMap { model.ancestors(of: $0.key) } ?? []
    let ancestors = Array(all.suffix(limit ?? all.count))
    guard let fields else {
      return try comparePath(page["ancestors"]?.elements, ancestors, of: path)
    }
    try compareRows(page["ancestors"]?.elements, ancestors, fields: fields, of: path)
  }

  private mutating func compareWindow(around key: ModelKey) throws {
    let before = operations.random.number(in: 0...5)
    let after = operations.random.number(in: 0...5)
    let path = "/rows?around=\(key.pathSegment)&before=\(before)&after=\(after)"
    guard let row = model.row(of: key) else { return try expectAbsent(path) }
    guard let index = row.index else {
      let problem = try json(try subject.get(path), status: 404, of: path)
      return try expect(problem["code"]?.string == "node-not-visible", "\(path): \(problem.text)")
    }
    let offset = max(0, index - before)
    try comparePage(
      path,
      offset: offset,
      count: index + after + 1 - offset
    )
  }

  // MARK: - Nodes

  private func compareRow(at index: Int) throws {
    let path = "/rows/\(index)"
    let answer = try subject.get(path)
    guard story.after.rows.indices.contains(index) else {
      _ = try json(answer, status: 416, of: path)
      return
    }
    let row = try json(answer, status: 200, of: path)
    try compareRows([single(row)], [story.after.rows[index]], of: path)
  }

  private func compareNode(_ key: ModelKey) throws {
    let path = "/nodes/\(key.pathSegment)"
    guard let row = model.row(of: key) else { return try expectAbsent(path) }
    let node = try json(try subject.get(path), status: 200, of: path)
    try compareRows([single(node)], [row], of: path)
    let keys = JSONText.object([("keys", JSONText.array([JSONText.key(key), JSONText.key(key)]))])
    let answer = try subject.send("POST", "/nodes/get", headers: [], body: keys)
    let list = try json((answer.status, answer.body), status: 200, of: "nodes/get of \(key)")
    try compareRows(list["nodes"]?.elements, [row, row], of: "nodes/get of \(key)")
  }

  private func compareAncestors(of key: ModelKey) throws {
    let path = "/nodes/\(key.pathSegment)/ancestors"
    guard let ancestors = model.ancestors(of: key) else { return try expectAbsent(path) }
    let answer = try json(try subject.get(path), status: 200, of: path)
    try comparePath(answer["ancestors"]?.elements, ancestors, of: path)
    let fields = ["key", "index", "childCount", "object"]
    let full = "\(path)?fields=\(fields.joined(separator: ","))"
    let rows = try json(try subject.get(full), status: 200, of: full)["ancestors"]?.elements
    try compareRows(rows, ancestors, fields: fields, of: full)
  }

  private mutating func compareChildren(of parent: ModelKey?) throws {
    let base = parent.map { "/nodes/\($0.pathSegment)/children" } ?? "/children"
    guard let children = model.children(of: parent) else { return try expectAbsent(base) }
    if let parent {
      let (byPath, byQuery) = (try subject.get(base), "/children?parent=\(parent.pathSegment)")
      try expect(try subject.get(byQuery).body == byPath.body, "\(byQuery) is not \(base)")
    }
    let offset = operations.random.number(in: 0...children.count)
    let limit = operations.random.number(in: 1...8)
    let path = "\(base)?offset=\(offset)&limit=\(limit)"
    let range = try json(try subject.get(path), status: 200, of: path)
    let expectedParent = String(decoding: JSONText.key(parent), as: UTF8.self)
    let rangeParent = range["parent"].map { String(decoding: $0.compactBytes, as: UTF8.self) }
    try expect(rangeParent == expectedParent, "\(path): parent is \(rangeParent ?? "absent")")
    let childCount = parent == nil ? children.count : parent.flatMap(model.row)?.childCount
    try expectMember("childCount", childCount, in: range, of: path)
    try expectMember("offset", offset, in: range, of: path)
    let expected = Array(children.dropFirst(offset).prefix(limit))
    try compareRows(range["nodes"]?.elements, expected, of: path)
    let beyond = try subject.get("\(base)?offset=\(children.count + 1)")
    _ = try json(beyond, status: 416, of: "\(base) beyond the last")
  }

  // MARK: - Parts of answers

  private func expectAbsent(_ path: String) throws {
    let problem = try json(try subject.get(path), status: 404, of: path)
    try expect(problem["code"]?.string == "node-not-found", "\(path): \(problem.text)")
  }

  /// Returns the row of an answer for a single node, without the session and the revision.
  private func single(_ json: RawJSON) -> RawJSON {
    guard case .object(let members) = json.kind else { return json }
    let added = ["session", "revision"].map { Array($0.utf8) }
    return RawJSON(kind: .object(members.filter { !added.contains($0.name) }), bytes: json.bytes)
  }

  func compareRows(
    _ rows: [RawJSON]?,
    _ expected: [ModelRow],
    fields: [String]? = nil,
    of what: String
  ) throws {
    guard let rows else { throw failure("\(what): no rows") }
    try expect(rows.count == expected.count, "\(what): \(rows.count) rows, not \(expected.count)")
    for (json, row) in zip(rows, expected) {
      if let difference = row.difference(from: json, fields: fields) {
        throw failure("\(what): \(difference)")
      }
    }
  }

  /// Compares a path of ancestors, each with its key, index and depth.
  private func comparePath(_ path: [RawJSON]?, _ expected: [ModelRow], of what: String) throws {
    let fields = ["key", "index", "depth"]
    guard let path else { throw failure("\(what): no ancestors") }
    try expect(path.count == expected.count, "\(what): \(path.count) ancestors")
    for (json, row) in zip(path, expected) {
      for field in fields where json[field]?.compactBytes != row.json(field) {
        throw failure("\(what): the ancestor \(row.key) has another \(field): \(json.text)")
      }
    }
  }
}
