extension DifferentialRun {
  /// Sends a batch as a dry run, with a stale condition, or twice.
  mutating func conditionalBatch() throws {
    switch operations.random.number(in: 0...2) {
    case 0: try dryRun()
    case 1: try staleBatch()
    default: try repeatedBatch()
    }
  }

  /// Returns a random batch that the access of the session allows.
  private mutating func allowedBatch() -> [ModelOperation] {
    let batch = operations.batch(for: model)
    return model.isViewOnly ? batch.filter(\.isViewOperation) : batch
  }

  /// Sends a dry run and checks its answer. Later reads check that nothing changed.
  private mutating func dryRun() throws {
    let batch = operations.batch(for: model)
    story.batch = ModelOperation.batch(batch)
    story.query = "dryRun=true&include=rows&limit=1000"
    let trial = model.copy()
    let path = "/batch?\(story.query)"
    let answer = try subject.send("POST", path, headers: [], body: story.batch)
    story.answer = answer.body
    let outcome: ModelOutcome
    do {
      outcome = try trial.apply(batch)
    } catch {
      return try compareRefusal((answer.status, answer.body), error)
    }
    let body = try json((answer.status, answer.body), status: 200, of: "the dry run")
    let violations = ChangeListLaw.violations(
      before: story.before,
      after: trial.picture,
      list: try ChangeList(body),
      moves: outcome.moves
    )
    try expectNone(violations)
    let spends = outcome.stateChanged || outcome.ruleChanged
    try expectMember("previousRevision", revision, in: body, of: "the dry run")
    try expectMember("revision", revision + (spends ? 1 : 0), in: body, of: "the dry run")
    try expectMember("nodeCount", trial.nodeCount, in: body, of: "the dry run")
  }

  /// Sends a batch with a stale revision, which is refused.
  private mutating func staleBatch() throws {
    story.batch = ModelOperation.batch(allowedBatch())
    let stale = operations.random.oneIn(2) ? "\"\(revision + 1)\"" : "\"x\", \"\(revision + 7)\""
    let headers = [(name: "If-Match", value: stale)]
    let answer = try subject.send("POST", "/batch", headers: headers, body: story.batch)
    // The body may be checked before the condition.
    if answer.status == 400 { return }
    let problem = try json((answer.status, answer.body), status: 412, of: "a stale batch")
    try expect(problem["code"]?.string == "revision-mismatch", "stale: \(problem.text)")
    try expectMember("revision", revision, in: problem, of: "a stale batch")
  }

  /// Sends a batch twice with one idempotency key. It is applied once and answered twice.
  private mutating func repeatedBatch() throws {
    let batch = allowedBatch()
    story.batch = ModelOperation.batch(batch)
    story.query = "include=rows&limit=1000"
    let token = "t\(operations.random.next())"
    var headers = [(name: "Idempotency-Key", value: token)]
    if operations.random.oneIn(2) { headers.append(("If-Match", "\"\(revision)\"")) }
    let path = "/batch?\(story.query)"
    let result = Result { () throws(ModelError) in try model.apply(batch) }
    story.after = model.picture
    let first = try subject.send("POST", path, headers: headers, body: story.batch)
    story.answer = first.body
    switch result {
    case .failure(let error): try compareRefusal((first.status, first.body), error)
    case .success(let outcome): try compareChangeList((first.status, first.body), outcome)
    }
    // A refusal of a malformed request is not stored.
    guard first.status != 400 else { return }
    let second = try subject.send("POST", path, headers: headers, body: story.batch)
    try expect(second.status == first.status, "the replay has status \(second.status)")
    try expect(second.body == first.body, "the replay has another body")
    try expect(second["ETag"] == first["ETag"], "the replay has another ETag")
    try expect(second["Idempotency-Replayed"] == "true", "the replay does not say so")
    let unlike = ModelOperation.batch([.expandAll, .collapseAll, .expandAll])
    let other = try subject.send("POST", path, headers: headers, body: unlike)
    let problem = try json((other.status, other.body), status: 422, of: "a reused token")
    try expect(problem["code"]?.string == "idempotency-key-reused", "reused: \(problem.text)")
  }
}
