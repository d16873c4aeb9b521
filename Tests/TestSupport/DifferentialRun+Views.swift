// Reads of a session other than rows and nodes.
extension DifferentialRun {
  /// Compares sections, state and search.
  mutating func compareViews() throws {
    try compareSections()
    let state = try json(try subject.get("/state"), status: 200, of: "the state")
    try expectMembers(model.stateMembers, in: state, of: "the state")
    try compareSearch()
    try compareOptions(try json(try subject.get(""), status: 200, of: "the session"))
  }

  /// Checks the options in the description of a session.
  func compareOptions(_ description: RawJSON) throws {
    try expectMembers(model.descriptionMembers, in: description, of: "the description")
  }

  private mutating func compareSections() throws {
    let sections = try json(try subject.get("/sections"), status: 200, of: "the sections")
    let expected = JSONText.array(model.sections.map(\.json))
    try expect(
      sections.compactBytes == expected,
      "the sections are \(sections.text), not \(String(decoding: expected, as: UTF8.self))"
    )
    guard let name = operations.random.element(of: model.sections)?.name else { return }
    let path = "/children?section=\(name.pathSegment)"
    let range = try json(try subject.get(path), status: 200, of: path)
    let roots = model.children(of: nil, section: name) ?? []
    try expectMember("childCount", roots.count, in: range, of: path)
    try compareRows(range["nodes"]?.elements, roots, of: path)
  }

  private mutating func compareSearch() throws {
    let query = operations.random.choice(["k1", "AN", "app", "z", "é", "FILE1", "nothing", "2"])
    let by = operations.random.choice([nil, nil, "/t", "#key", "/f"])
    let limit = operations.random.number(in: 1...6)
    let pointer = by.map { "&by=\(ModelKey($0).pathSegment)" } ?? ""
    let base = "/search?q=\(ModelKey(query).pathSegment)\(pointer)&limit=\(limit)"
    let matches = model.search(query, by: by)
    var after: ModelKey?
    var found = 0
    let isCounting = operations.random.oneIn(2)
    repeat {
      let path =
        base + (isCounting ? "&count=true" : "") + (after.map { "&after=\($0.pathSegment)" } ?? "")
      let answer = try json(try subject.get(path), status: 200, of: path)
      let expected = Array(matches.dropFirst(found).prefix(limit))
      let total = answer["total"]?.integer
      try expect(total == (isCounting ? matches.count : nil), "\(path): total is \(total ?? -1)")
      try compareRows(answer["matches"]?.elements, expected, of: path)
      found += expected.count
      after = answer["next"]?.key
      try expect(after == nil || after == expected.last?.key, "\(path): next is \(after ?? "")")
      try expect(after != nil || found == matches.count, "\(path): no next, though there is more")
    } while after != nil
  }
}
