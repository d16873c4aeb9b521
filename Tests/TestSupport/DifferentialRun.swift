/// Drives a session of a service and the model's through the same random batches and compares every
/// answer.
///
/// After each batch it compares the status, or the refusal and that nothing changed; the revisions
/// and counts; the change list by ``ChangeListLaw`` and by a ``ReplicaClient`` that lives on change
/// lists alone; pages of random size and fields, windows, single rows, nodes, children and
/// ancestors; and what the profile adds: options changed by `PATCH`, conditions and replays, change
/// lists since kept revisions, sections, state and search.
package struct DifferentialRun {
  /// Whether a batch whose operations cancel each other must keep the revision.
  ///
  /// "A batch that changes nothing keeps the revision" leaves open whether it may have changed
  /// something in between. When false, either answer is accepted.
  package var requiresNetRevisions = false
  /// Whether the service may have forgotten what became of the rows at any time.
  package var forgetsHistory = false

  package let model: ModelSession
  let subject: any SessionUnderTest
  /// Whether the tree is the session's own.
  let isPrivate: Bool
  var operations: RandomOperations
  var replica: ReplicaClient
  /// The revision that the replica is at.
  var replicaRevision = 0
  var revision = 0
  var treeRevision = 0
  /// The last revision that an answer told.
  var told: ToldRevision?
  /// What a failure will tell.
  var story: DifferentialFailure

  /// Makes a session with random options in the model and in the service.
  ///
  /// - Parameters:
  ///   - seed: Decides everything random.
  ///   - profile: Which parts of the contract are tried.
  ///   - makeSession: Makes a session of the service from the body of `POST /v1/sessions`.
  /// - Throws: What `makeSession` throws.
  package init(
    seed: UInt64,
    profile: RandomProfile = .plain,
    makeSession: (_ options: [UInt8]) throws -> any SessionUnderTest
  ) throws {
    var operations = RandomOperations(seed: seed, profile: profile)
    let options = operations.options()
    try self.init(
      model: try ModelSession(options),
      subject: try makeSession(options.json),
      operations: operations,
      story: DifferentialFailure(seed: seed, options: options.json)
    )
  }

  /// Compares a session that is there in both.
  init(
    model: ModelSession,
    subject: any SessionUnderTest,
    isPrivate: Bool = true,
    operations: RandomOperations,
    story: DifferentialFailure
  ) throws {
    self.model = model
    self.subject = subject
    self.isPrivate = isPrivate
    self.operations = operations
    self.story = story
    replica = ReplicaClient(model.picture)
    treeRevision = model.shared.revision
    self.story.before = model.picture
    self.story.after = model.picture
  }

  /// Makes a session and takes it through random batches; where `events` tells its path and whom
  /// its events come from, a replica follows those.
  ///
  /// - Throws: ``DifferentialFailure`` at the first disagreement.
  package static func run(
    seed: UInt64,
    steps: Int,
    requiresNetRevisions: Bool = false,
    forgetsHistory: Bool = false,
    profile: RandomProfile = .plain,
    events: (any SessionUnderTest) -> (path: String, events: any EventsUnderTest)? = { _ in nil },
    makeSession: (_ options: [UInt8]) throws -> any SessionUnderTest
  ) throws {
    var run = try DifferentialRun(seed: seed, profile: profile, makeSession: makeSession)
    run.requiresNetRevisions = requiresNetRevisions
    run.forgetsHistory = forgetsHistory
    var follower = try events(run.subject).map { path, events in
      try EventFollower(path, like: run.model, events: events, story: run.story)
    }
    try run.compareReads(everyNode: true)
    for step in 1...max(steps, 1) {
      try run.step(step)
      follower?.story.step = step
      follower?.story.batch = run.story.batch
      try follower?.follow(run.model)
      if let told = follower?.told { try run.compareRetelling(of: told, from: "an event") }
      try run.compareReads(everyNode: step == steps || step.isMultiple(of: 16))
    }
  }

  /// Changes something random in both and compares the answers.
  ///
  /// - Throws: ``DifferentialFailure`` at a disagreement.
  mutating func step(_ number: Int) throws {
    story.step = number
    story.before = model.picture
    let profile = operations.profile
    if profile.has(.patches), operations.random.oneIn(5) { return try patch() }
    if profile.has(.conditions), operations.random.oneIn(4) { return try conditionalBatch() }
    try apply(operations.batch(for: model))
    if profile.has(.following), operations.random.oneIn(2) { try compareFollowing() }
  }

  /// Makes a session and sends it one batch.
  ///
  /// - Parameters:
  ///   - batch: The operations.
  ///   - options: What the session is to be.
  ///   - seed: Decides how the answer is asked for, and what is read.
  ///   - makeSession: Makes a session of the service from the body of `POST /v1/sessions`.
  /// - Throws: ``DifferentialFailure`` at a disagreement.
  package static func check(
    _ batch: [ModelOperation],
    options: ModelSessionOptions,
    seed: UInt64,
    makeSession: (_ options: [UInt8]) throws -> any SessionUnderTest
  ) throws {
    var run = try DifferentialRun(
      model: try ModelSession(options),
      subject: try makeSession(options.json),
      operations: RandomOperations(seed: seed),
      story: DifferentialFailure(seed: seed, options: options.json)
    )
    run.requiresNetRevisions = true
    try run.apply(batch)
    try run.compareFollowing()
    try run.compareReads(everyNode: false)
  }

  /// Applies a batch to both and compares everything.
  private mutating func apply(_ batch: [ModelOperation]) throws {
    story.batch = ModelOperation.batch(batch)
    story.query = operations.random.choice(DifferentialRun.queries)
    let result = Result { () throws(ModelError) in try model.apply(batch) }
    story.after = model.picture
    let answer = try subject.batch(story.batch, query: story.query)
    story.answer = answer.body
    switch result {
    case .failure(let error): try compareRefusal(answer, error)
    case .success(let outcome):
      try compareRevealed(by: batch, answer)
      try compareChangeList(answer, outcome)
    }
  }

  /// Changes random options in both.
  private mutating func patch() throws {
    let patch = operations.patch(for: model, isPrivate: isPrivate)
    story.batch = patch.json
    story.query = operations.random.choice(DifferentialRun.queries)
    let outcome = model.patch(patch)
    story.after = model.picture
    let path = story.query.isEmpty ? "" : "?\(story.query)"
    let answer = try subject.send("PATCH", path, headers: [], body: story.batch)
    story.answer = answer.body
    try compareChangeList((answer.status, answer.body), outcome)
    try compareOptions(try json((answer.status, answer.body), status: 200, of: "the patch"))
  }

  private static let queries = [
    "", "", "changes=rows", "changes=ranges", "include=rows&limit=1000", "include=rows&limit=1000",
    "changes=ranges&include=rows&limit=1000", "changes=none",
    "sections=true", "sections=true&include=rows&limit=1000",
    "sections=true&changes=ranges&include=rows&limit=1000",
  ]

  // MARK: - Reporting

  func failure(_ findings: String...) -> DifferentialFailure {
    var failure = story
    failure.findings = findings
    return failure
  }

  func expect(_ condition: Bool, _ finding: @autoclosure () -> String) throws {
    guard condition else { throw failure(finding()) }
  }

  /// The JSON of an answer that must have a status.
  func json(
    _ answer: (status: Int, body: [UInt8]),
    status: Int,
    of what: String
  ) throws -> RawJSON {
    let text = String(decoding: answer.body, as: UTF8.self)
    try expect(answer.status == status, "\(what): status \(answer.status), not \(status): \(text)")
    do {
      return try RawJSON(parsing: answer.body)
    } catch {
      throw failure("\(what): \(error): \(text)")
    }
  }

  func expectMember(
    _ name: String,
    _ expected: Int?,
    in json: RawJSON,
    of what: String
  ) throws {
    let value = json[name]?.text ?? "absent"
    try expect(
      value == (expected.map(String.init) ?? "null"),
      "\(what): \(name) is \(value), not \(expected.map(String.init) ?? "null")"
    )
  }

  /// Whether two filters are the same, defaults spelt out or not.
  private func agrees(_ filter: RawJSON?, withFilter expected: [UInt8]) -> Bool {
    guard let filter, let expected = try? RawJSON(parsing: expected) else { return false }
    return !filter.isNull && ModelFilter(filter) == ModelFilter(expected)
  }

  /// Expects members to be there with these values, white space aside.
  func expectMembers(
    _ members: [(String, [UInt8])],
    in json: RawJSON,
    of what: String
  ) throws {
    for (name, expected) in members {
      if name == "filter", agrees(json[name], withFilter: expected) { continue }
      let text = json[name].map { String(decoding: $0.compactBytes, as: UTF8.self) } ?? "absent"
      let wanted = String(decoding: expected, as: UTF8.self)
      try expect(text == wanted, "\(what): \(name) is \(text), not \(wanted)")
    }
  }
}
