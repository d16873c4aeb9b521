/// Applies the same random batches to a session of a service and of the model, and compares all
/// answers.
///
/// After each batch it compares the status, or the refusal and that nothing changed. It compares
/// the revisions and counts. It checks the change list with ``ChangeListLaw``, and with a
/// ``ReplicaClient`` that uses change lists alone. It reads pages with random sizes and fields,
/// windows, single rows, nodes, children and ancestors. The profile adds options changed by
/// `PATCH`, conditions and replays, change lists since kept revisions, sections, state and search.
package struct DifferentialRun {
  /// True if a batch whose operations cancel each other must keep the revision.
  ///
  /// The contract says that a batch without changes keeps the revision. It leaves open if changes
  /// in between count. If false, both answers are accepted.
  package var requiresNetRevisions = false
  /// True if the service may have dropped the history at any time.
  package var forgetsHistory = false

  package let model: ModelSession
  let subject: any SessionUnderTest
  /// True if the tree belongs to the session.
  let isPrivate: Bool
  var operations: RandomOperations
  var replica: ReplicaClient
  /// The revision of the replica.
  var replicaRevision = 0
  var revision = 0
  var treeRevision = 0
  /// The last revision in an answer.
  var lastAnswer: ToldRevision?
  /// The context of a failure.
  var story: DifferentialFailure

  /// Creates a session with random options in the model and in the service.
  ///
  /// - Parameters:
  ///   - seed: The seed of all random choices.
  ///   - profile: The parts of the contract to test.
  ///   - makeSession: Creates a session of the service from the body of `POST /v1/sessions`.
  /// - Throws: An error of `makeSession`.
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

  /// Compares a session that exists in both.
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

  /// Creates a session and applies random batches to it. If `events` returns the session's path and
  /// a source of its events, a replica follows these.
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
      if let event = follower?.lastEvent {
        try run.compareLastRevision(with: event, from: "an event")
      }
      try run.compareReads(everyNode: step == steps || step.isMultiple(of: 16))
    }
  }

  /// Makes a random change in both and compares the answers.
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

  /// Creates a session and applies one batch to it.
  ///
  /// - Parameters:
  ///   - batch: The operations.
  ///   - options: The options of the session.
  ///   - seed: The seed for the form of the answer and the reads.
  ///   - makeSession: Creates a session of the service from the body of `POST /v1/sessions`.
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

  /// Returns the JSON of an answer, which must have the given status.
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

  /// Returns true if two filters are equal, with defaults explicit or not.
  private func agrees(_ filter: RawJSON?, withFilter expected: [UInt8]) -> Bool {
    guard let filter, let expected = try? RawJSON(parsing: expected) else { return false }
    return !filter.isNull && ModelFilter(filter) == ModelFilter(expected)
  }

  /// Expects members with these values, ignoring white space.
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
