extension DifferentialRun {
  /// The least number of revisions that a service keeps in the history.
  static let keptRevisions = 12

  /// Checks a change list since a random kept revision.
  mutating func compareFollowing() throws {
    try compareLastRevision()
    let oldest = max(0, model.revision - DifferentialRun.keptRevisions)
    let since = operations.random.number(in: oldest...model.revision)
    let form = operations.random.choice(["", "&sections=true", "&sections=true&changes=ranges"])
    try compareChanges(since: since, form)
    let beyond = try subject.get("/changes?since=\(model.revision + 1)")
    let problem = try json(beyond, status: 410, of: "changes since the future")
    try expect(problem["code"]?.string == "history-expired", "the future: \(problem.text)")
    try expect(problem["revision"]?.integer == model.revision, "the future: \(problem.text)")
  }

  /// Updates the replica with the changes of other sessions.
  ///
  /// - Throws: ``DifferentialFailure`` if the replica differs from the model.
  mutating func follow() throws {
    revision = model.revision
    treeRevision = model.shared.revision
    if model.revision - replicaRevision <= DifferentialRun.keptRevisions,
      let list = try compareChanges(since: replicaRevision)
    {
      return try compareReplica(list)
    }
    replica = ReplicaClient(model.picture)
    replicaRevision = model.revision
  }

  /// Checks the change list since a revision.
  ///
  /// - Returns: The list; nil if its history is gone and may be.
  @discardableResult
  private mutating func compareChanges(since: Int, _ form: String = "") throws -> ChangeList? {
    story.query = "since=\(since)&include=rows&limit=1000\(form)"
    story.before = model.picture(at: since)
    story.after = model.picture
    let answer = try subject.get("/changes?\(story.query)")
    story.answer = answer.body
    if forgetsHistory, since < model.revision, answer.status == 410 {
      let problem = try json(answer, status: 410, of: "the changes")
      try expect(problem["code"]?.string == "history-expired", "the changes: \(problem.text)")
      try expectMember("revision", model.revision, in: problem, of: "the changes")
      return nil
    }
    let body = try json(answer, status: 200, of: "the changes")
    try expectMember("previousRevision", since, in: body, of: "the changes")
    try expectMember("revision", model.revision, in: body, of: "the changes")
    try expectMember("treeRevision", model.shared.revision, in: body, of: "the changes")
    let origin = model.origin(since: since)
    try expect(body["origin"]?.string == origin, "the origin is not \(origin): \(body.text)")
    return try changeList(body, from: story.before, moves: model.moves(since: since))
  }
}
