/// Applies random batches to several sessions of one shared tree, in the service and in the model,
/// and compares all answers.
///
/// Each step is a batch or patch of a random session, or a batch of the tree. Then sessions read
/// change lists since a kept revision, and their replicas follow. If the service has event streams,
/// each session has a second replica, maintained from its events alone.
package struct SharedTreeRun {
  /// The name of the tree.
  package static let tree = "shared"

  private let service: any ServiceUnderTest
  private let events: (any EventsUnderTest)?
  private let forgetsHistory: Bool
  private let shared: ModelSharedTree
  private var runs: [DifferentialRun] = []
  /// The followers of the runs; empty without events.
  private var followers: [EventFollower] = []
  private var operations: RandomOperations
  private var story: DifferentialFailure

  /// Creates the tree and the sessions in both.
  ///
  /// - Throws: ``DifferentialFailure`` if the service refuses.
  package init(
    seed: UInt64,
    profile: RandomProfile = .everything,
    sessions: Int = 3,
    service: any ServiceUnderTest,
    forgetsHistory: Bool = false,
    events: (any EventsUnderTest)? = nil
  ) throws {
    operations = RandomOperations(seed: seed, profile: profile)
    self.service = service
    self.events = events
    self.forgetsHistory = forgetsHistory
    let options = operations.treeOptions()
    let body = options.treeJSON(tree: SharedTreeRun.tree)
    story = DifferentialFailure(seed: seed, options: body)
    let answer = try service.send("POST", "/v1/trees", headers: [], body: body)
    guard answer.status == 201,
      let revision = (try? RawJSON(parsing: answer.body))?["revision"]?.integer
    else {
      story.findings = ["the tree was not created: \(String(decoding: answer.body, as: UTF8.self))"]
      throw story
    }
    // A deleted tree of this name determines the first revision.
    shared = try ModelSharedTree(options, at: revision)
    for number in 0..<sessions { runs.append(try session(seed &+ UInt64(number), profile)) }
  }

  private mutating func session(
    _ seed: UInt64,
    _ profile: RandomProfile
  ) throws -> DifferentialRun {
    let options = operations.options(over: shared)
    let body = options.json(tree: SharedTreeRun.tree)
    let model = try ModelSession(options, over: shared)
    let subject = try ServedSession(service, options: body)
    let story = DifferentialFailure(seed: story.seed, options: body)
    if let events {
      followers.append(
        try EventFollower(subject.path, like: model, events: events, story: story)
      )
    }
    var run = try DifferentialRun(
      model: model,
      subject: subject,
      isPrivate: false,
      operations: RandomOperations(seed: seed, profile: profile),
      story: story
    )
    run.requiresNetRevisions = true
    run.forgetsHistory = forgetsHistory
    return run
  }

  /// Applies random batches.
  ///
  /// - Throws: ``DifferentialFailure`` at the first disagreement.
  package static func run(
    seed: UInt64,
    steps: Int,
    profile: RandomProfile = .everything,
    service: any ServiceUnderTest,
    forgetsHistory: Bool = false,
    events: (any EventsUnderTest)? = nil
  ) throws {
    var run = try SharedTreeRun(
      seed: seed,
      profile: profile,
      service: service,
      forgetsHistory: forgetsHistory,
      events: events
    )
    for step in 1...max(steps, 1) { try run.step(step) }
  }

  private mutating func step(_ number: Int) throws {
    story.step = number
    let actor = operations.random.number(in: 0...runs.count)
    if actor < runs.count {
      try runs[actor].follow()
      try runs[actor].step(number)
    } else {
      try batchOfTree()
    }
    try followEvents(actor < runs.count ? runs[actor].story.batch : story.batch)
    for index in runs.indices where index != actor {
      // A session that skips some steps catches up later.
      guard operations.random.oneIn(2) else { continue }
      runs[index].story.step = number
      try runs[index].follow()
      try runs[index].compareFollowing()
    }
    for index in runs.indices where index == actor || operations.random.oneIn(4) {
      try runs[index].follow()
      try runs[index].compareReads(everyNode: false)
    }
    if operations.random.oneIn(4) { try compareTree() }
    if operations.random.oneIn(4) { try compareRestoredState() }
  }

  /// Lets the followers of events process a batch.
  private mutating func followEvents(_ batch: [UInt8]) throws {
    for index in followers.indices {
      followers[index].story.step = story.step
      followers[index].story.batch = batch
      try followers[index].follow(runs[index].model)
      guard let event = followers[index].lastEvent else { continue }
      try runs[index].compareLastRevision(with: event, from: "an event")
    }
  }

  // MARK: - The tree

  /// Applies a batch to the tree without a session, with data operations only.
  private mutating func batchOfTree() throws {
    guard let session = shared.sessions.first else { return }
    let isRefused = operations.random.oneIn(10)
    let any = operations.batch(for: session)
    let batch = isRefused ? [.clearSelection] : any.filter { !$0.isViewOperation }
    guard !batch.isEmpty else { return }
    let revision = shared.revision
    story.batch = ModelOperation.batch(batch)
    let path = "/v1/trees/\(SharedTreeRun.tree)/batch"
    let result = Result { () throws(ModelError) in try shared.apply(batch) }
    let answer = try service.send("POST", path, headers: [], body: story.batch)
    story.answer = answer.body
    let json = try json(answer, of: path)
    switch result {
    case .failure(let error):
      let isRight =
        answer.status == error.code.status && json["code"]?.string == error.code.rawValue
      try expect(isRight, "refused as \(json.text), not \(error)")
    case .success:
      try expect(answer.status == 200, "status \(answer.status): \(json.text)")
      for (name, value) in [
        ("previousRevision", revision), ("revision", shared.revision),
        ("nodeCount", shared.nodeCount), ("applied", batch.count),
      ] {
        try expect(json[name]?.integer == value, "\(name) is not \(value): \(json.text)")
      }
    }
  }

  /// Compares reads of the tree without a session.
  private mutating func compareTree() throws {
    let base = "/v1/trees/\(SharedTreeRun.tree)"
    let tree = try json(service.send("GET", base, headers: [], body: []), of: base)
    try compare(shared.descriptionMembers, tree, of: base)
    try expect(tree["revision"]?.integer == shared.revision, "the tree: \(tree.text)")
    guard let key = operations.random.element(of: shared.keys) else { return }
    let path = "\(base)/nodes/\(key.pathSegment)"
    let node = try json(service.send("GET", path, headers: [], body: []), of: path)
    try compare(shared.nodeMembers(of: key) ?? [], node["node"] ?? .null, of: path)
    for parent in [key, nil] {
      let path = parent == nil ? "\(base)/children" : "\(path)/children"
      let range = try json(service.send("GET", path, headers: [], body: []), of: path)
      let expected = shared.childMembers(of: parent) ?? []
      let nodes = range["nodes"]?.elements ?? []
      try expect(nodes.count == expected.count, "\(path): \(nodes.count) nodes")
      for (node, members) in zip(nodes, expected) { try compare(members, node, of: path) }
    }
  }

  // MARK: - View state

  /// Checks that a session created from another's state shows the same rows.
  private mutating func compareRestoredState() throws {
    let run = operations.random.choice(runs)
    let state = try run.subject.get("/state")
    let body = JSONText.object([
      ("tree", JSONText.string(SharedTreeRun.tree)), ("state", state.body),
    ])
    let twin = try ServedSession(service, options: body)
    let path = "/rows?limit=1000"
    let rows = try RawJSON(parsing: twin.get(path).body)["rows"]
    let expected = try RawJSON(parsing: run.subject.get(path).body)["rows"]
    let text = String(decoding: state.body, as: UTF8.self)
    try expect(rows != nil && rows?.bytes == expected?.bytes, "restored, other rows: \(text)")
    let restored = try json(
      twin.send("GET", "/state", headers: [], body: []),
      of: "the restored state"
    )
    try run.expectMembers(run.model.stateMembers, in: restored, of: "the restored state")
    _ = try twin.send("DELETE", "", headers: [], body: [])
  }

  // MARK: - Reporting

  private func expect(_ condition: Bool, _ finding: @autoclosure () -> String) throws {
    guard !condition else { return }
    var failure = story
    failure.findings = [finding()]
    throw failure
  }

  private func json(_ answer: ServiceAnswer, of what: String) throws -> RawJSON {
    do {
      return try RawJSON(parsing: answer.body)
    } catch {
      try expect(false, "\(what): \(answer.status), \(error)")
      return .null
    }
  }

  private func compare(_ members: [(String, [UInt8])], _ json: RawJSON, of what: String) throws {
    for (name, expected) in members {
      let isRight = json[name]?.compactBytes == expected
      let wanted = String(decoding: expected, as: UTF8.self)
      try expect(isRight, "\(what): \(name) is not \(wanted) in \(json.text)")
    }
  }
}
