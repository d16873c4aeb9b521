extension DifferentialRun {
  /// Checks the problem of a refused batch. Later reads check that nothing changed.
  func compareRefusal(_ answer: (status: Int, body: [UInt8]), _ error: ModelError) throws {
    let problem = try json(answer, status: error.code.status, of: "a batch refused for \(error)")
    let code = problem["code"]?.string
    try expect(code == error.code.rawValue, "the code is \(code ?? "absent"), not \(error.code)")
    try expectMember("status", error.code.status, in: problem, of: "the problem")
    let type = problem["type"]?.string
    try expect(type == "/problems/\(error.code.rawValue)", "the type is \(type ?? "absent")")
    // A batch that cannot be decoded may be refused as a whole. A refused operation has its index.
    if error.code.status != 400 || problem["operation"] != nil {
      try expectMember("operation", error.operation, in: problem, of: "the problem")
    }
  }

  /// Checks the revisions, the counts and the change list of an applied batch.
  mutating func compareChangeList(
    _ answer: (status: Int, body: [UInt8]),
    _ outcome: ModelOutcome
  ) throws {
    let body = try json(answer, status: 200, of: "the batch")
    let list = try changeList(body, from: story.before, moves: outcome.moves)
    try expectNone(missingUnloaded(list))
    try compareRevisions(list, outcome)
    lastAnswer = ToldRevision(body, query: story.query)
    try compareLastRevision()
    try compareReplica(list)
  }

  /// Checks the index of the row that the last `reveal` of a batch shows.
  func compareRevealed(
    by batch: [ModelOperation],
    _ answer: (status: Int, body: [UInt8])
  ) throws {
    let body = try json(answer, status: 200, of: "the batch")
    guard let key = ModelOperation.revealedKey(by: batch) else {
      return try expect(body["index"] == nil, "there is an index, though nothing was revealed")
    }
    try expectMember("index", model.row(of: key)?.index, in: body, of: "the revealed \(key)")
  }

  /// Reads the change list of an answer and checks it with the law.
  func changeList(
    _ body: RawJSON,
    from before: ModelPicture,
    moves: ModelMoves
  ) throws -> ChangeList {
    let list: ChangeList
    do {
      list = try ChangeList(body)
    } catch {
      throw failure("the change list cannot be read: \(error)")
    }
    let formats: [ChangeList.Format] = [.ranges, .none]
    let wanted = formats.first { story.query.contains("changes=\($0.rawValue)") } ?? .rows
    try expect(list.format == wanted, "the format is \(list.format)")
    try expectMember("rowCount", story.after.rows.count, in: body, of: "the change list")
    try expectMember("nodeCount", model.nodeCount, in: body, of: "the change list")
    if list.format == .none {
      try expectNone(unloadedViolations(list))
      return list
    }
    let violations =
      story.query.contains("sections=true")
      ? SectionedListLaw.violations(before: before, after: story.after, list: list, moves: moves)
      : ChangeListLaw.violations(before: before, after: story.after, list: list, moves: moves)
    try expectNone(violations + unloadedViolations(list))
    return list
  }

  func expectNone(_ violations: [String]) throws {
    guard !violations.isEmpty else { return }
    var failure = story
    failure.findings = violations
    throw failure
  }

  /// Rule 8: nodes in `unloaded` are expanded, and their children are not loaded.
  private func unloadedViolations(_ list: ChangeList) -> [String] {
    list.unloaded.compactMap { key in
      let row = model.row(of: key)
      let isWanted = row?.childState == "unloaded" || row?.childState == "failed"
      return isWanted && row?.expanded == true ? nil : "\(key) is named in unloaded"
    }
  }

  /// Rule 8: the list names every unloaded node that the batch expanded, if its row kept its depth.
  ///
  /// The expansion by a filter is not listed, so that only batches are checked. A second
  /// `setChildren` could turn a node into a leaf in between, and a leaf that gains children follows
  /// the rule.
  private func missingUnloaded(_ list: ChangeList) -> [String] {
    let batch = String(decoding: story.batch, as: UTF8.self)
    let isOfOperations = batch.contains(#""operations""#)
    guard isOfOperations, batch.split(separator: "setChildren").count <= 2 else { return [] }
    let named = Set(list.unloaded)
    let before = Dictionary(uniqueKeysWithValues: story.before.rows.map { ($0.identity, $0) })
    return story.after.rows.compactMap { row in
      guard let old = before[row.identity], old.depth == row.depth else { return nil }
      let isExpanded = row.expanded && !old.expanded && old.childState != "leaf"
      let isWanted = ["unloaded", "failed"].contains(row.childState)
      return isExpanded && isWanted && !named.contains(row.key)
        ? "\(row.key) is not named in unloaded" : nil
    }
  }

  private mutating func compareRevisions(_ list: ChangeList, _ outcome: ModelOutcome) throws {
    try expect(
      list.previousRevision == revision,
      "previousRevision is \(list.previousRevision), not \(revision)"
    )
    revision = try next(
      after: revision,
      answered: list.revision,
      changed: outcome.stateChanged,
      touched: outcome.stateTouched,
      mayStay: outcome.ruleChanged,
      name: "revision"
    )
    treeRevision = try next(
      after: treeRevision,
      answered: list.treeRevision,
      changed: outcome.treeChanged,
      touched: outcome.treeTouched,
      mayStay: false,
      name: "treeRevision"
    )
  }

  private func next(
    after revision: Int,
    answered: Int,
    changed: Bool,
    touched: Bool,
    mayStay: Bool,
    name: String
  ) throws -> Int {
    let mayRise = changed || (touched && (!requiresNetRevisions || mayStay))
    let accepted = (changed ? [] : [revision]) + (mayRise ? [revision + 1] : [])
    try expect(accepted.contains(answered), "\(name) is \(answered), not one of \(accepted)")
    return answered
  }

  /// Checks the replica of a client that gets all rows. A client that does not get them reads them
  /// again.
  mutating func compareReplica(_ list: ChangeList) throws {
    replicaRevision = list.revision
    let isFlat = !story.query.contains("sections=true")
    guard isFlat, story.query.contains("include=rows"), list.format == .rows else {
      let missing = list.entries.contains { $0.rows != nil }
      try expect(!missing || story.query.contains("include=rows"), "rows came along unasked")
      replica = ReplicaClient(story.after)
      return
    }
    do {
      try replica.apply(list)
    } catch {
      throw failure("the replica is stuck: \(error)")
    }
    if replica.isUnsure { replica.readSections(story.after.sections) }
    if let difference = replica.difference(from: story.after.rows) { throw failure(difference) }
  }
}
