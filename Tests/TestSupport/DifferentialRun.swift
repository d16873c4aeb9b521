/// Drives a service and the model through the same random batches and compares every answer.
///
/// After each batch it compares the status, or the refusal and that nothing changed; the revisions
/// and counts; the change list by ``ChangeListLaw`` and by a ``ReplicaClient`` that lives on change
/// lists alone; pages of random size and fields, windows, single rows, nodes, children and
/// ancestors.
package struct DifferentialRun {
  /// Whether a batch whose operations cancel each other must keep the revision.
  ///
  /// "A batch that changes nothing keeps the revision" leaves open whether it may have changed
  /// something in between. When false, either answer is accepted.
  package var requiresNetRevisions = false

  let model: ModelSession
  let subject: any SessionUnderTest
  var operations: RandomOperations
  var replica: ReplicaClient
  var revision = 0
  var treeRevision = 0
  /// What a failure will tell.
  var story: DifferentialFailure

  /// Makes a session with random options in the model and in the service.
  ///
  /// - Parameters:
  ///   - seed: Decides everything random.
  ///   - makeSession: Makes a session of the service from the body of `POST /v1/sessions`.
  /// - Throws: What `makeSession` throws.
  package init(
    seed: UInt64,
    makeSession: (_ options: [UInt8]) throws -> any SessionUnderTest
  ) throws {
    operations = RandomOperations(seed: seed)
    let options = operations.options()
    model = try ModelSession(options)
    replica = ReplicaClient(model.rows)
    story = DifferentialFailure(
      seed: seed,
      step: 0,
      findings: [],
      options: options.json,
      batch: [],
      query: "",
      answer: [],
      before: [],
      after: model.rows
    )
    subject = try makeSession(options.json)
  }

  /// Makes a session and takes it through random batches.
  ///
  /// - Throws: ``DifferentialFailure`` at the first disagreement.
  package static func run(
    seed: UInt64,
    steps: Int,
    requiresNetRevisions: Bool = false,
    makeSession: (_ options: [UInt8]) throws -> any SessionUnderTest
  ) throws {
    var run = try DifferentialRun(seed: seed, makeSession: makeSession)
    run.requiresNetRevisions = requiresNetRevisions
    try run.compareReads(everyNode: true)
    for step in 1...max(steps, 1) { try run.step(step, isLast: step == steps) }
  }

  /// Applies one random batch to both and compares everything.
  ///
  /// - Throws: ``DifferentialFailure`` at a disagreement.
  mutating func step(_ number: Int, isLast: Bool) throws {
    let batch = operations.batch(for: model)
    story.step = number
    story.batch = ModelOperation.batch(batch)
    story.query = operations.random.choice(DifferentialRun.queries)
    story.before = model.rows
    let result = Result { () throws(ModelError) in try model.apply(batch) }
    story.after = model.rows
    let answer = try subject.batch(story.batch, query: story.query)
    story.answer = answer.body
    switch result {
    case .failure(let error): try compareRefusal(answer, error)
    case .success(let outcome): try compareChangeList(answer, outcome)
    }
    try compareReads(everyNode: isLast || number.isMultiple(of: 16))
  }

  private static let queries = [
    "", "", "changes=rows", "changes=ranges", "include=rows&limit=1000", "include=rows&limit=1000",
    "changes=ranges&include=rows&limit=1000",
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
}
