/// Maintains a ``ReplicaClient`` of a session from its events alone, and compares it with the model
/// after each event.
///
/// At random moments it loses the stream and resumes after the last event. The data of an event is
/// one line, so the model's state is compared with spaces for line breaks.
struct EventFollower {
  /// The context of a failure.
  var story: DifferentialFailure
  private let events: any EventsUnderTest
  private let session: String
  private var source: (any EventSource)?
  private var replica: ReplicaClient
  /// The revision of the replica.
  private var revision: Int
  /// The revision to which the next event leads, if it covers missed ones; nil if none were missed.
  private var missed: Int?
  /// The last event, if it covered one revision.
  private(set) var lastEvent: ToldRevision?
  private var random: SeededGenerator

  /// The greatest number of missed revisions before the stream is opened again.
  private static let maxMissedRevisions = DifferentialRun.keptRevisions / 2

  private static let query = "include=rows&limit=1000"

  /// Starts to follow a session.
  ///
  /// - Parameters:
  ///   - session: The path of the session.
  ///   - model: The session in the model.
  ///   - events: The source of the events.
  ///   - story: The context of a failure. Its seed determines when the stream is lost.
  /// - Throws: An error if the service opens no stream.
  init(
    _ session: String,
    like model: ModelSession,
    events: any EventsUnderTest,
    story: DifferentialFailure
  ) throws {
    self.events = events
    self.session = session
    self.story = story
    self.story.after = try model.picture.onOneLine
    replica = ReplicaClient(self.story.after)
    revision = model.revision
    random = SeededGenerator(seed: story.seed)
    source = try events.open(session, query: EventFollower.query, lastID: nil)
  }

  /// Reads the events up to the revision of the model, unless the stream is lost.
  ///
  /// - Throws: ``DifferentialFailure`` if the events do not lead to the state of the model.
  mutating func follow(_ model: ModelSession) throws {
    if source == nil {
      let isBehind = model.revision - revision >= EventFollower.maxMissedRevisions
      guard isBehind || random.oneIn(3) else { return }
      try reopen(model)
    }
    while revision < model.revision { try readEvent(model) }
    if random.oneIn(6) { source = nil }
  }

  private mutating func reopen(_ model: ModelSession) throws {
    source = try events.open(session, query: EventFollower.query, lastID: revision)
    missed = revision < model.revision ? model.revision : nil
  }

  /// Reads one event, of the next revision or of all missed ones.
  private mutating func readEvent(_ model: ModelSession) throws {
    let next = missed ?? revision + 1
    let moves = missed == nil ? model.moves(to: next) : model.moves(since: revision)
    missed = nil
    story.query = "\(EventFollower.query), events from \(revision) to \(next)"
    story.before = story.after
    story.after = try model.picture(at: next).onOneLine
    let list = try changeList(try source?.next(), of: next)
    let origin = model.origin(since: revision, to: next)
    try expect(list.origin == origin, "the event's origin is not \(origin)")
    try compareCounts(list, of: next, model)
    try expectNone(
      ChangeListLaw.violations(
        before: story.before,
        after: story.after,
        list: list,
        moves: moves
      )
    )
    try apply(list)
    revision = next
  }

  /// Returns the change list of an event, which must have the revision.
  private mutating func changeList(
    _ event: ServerSentEvents.Event?,
    of next: Int
  ) throws -> ChangeList {
    guard let event else { throw failure("the stream ended before revision \(next)") }
    story.answer = Array(event.data.utf8)
    try expect(event.type == "changes", "the event is of type \(event.type)")
    try expect(event.id == "\(next)", "the event's id is \(event.id), not \(next)")
    do {
      let json = try RawJSON(parsing: story.answer)
      lastEvent = ToldRevision(json, query: EventFollower.query)
      return try ChangeList(json)
    } catch {
      throw failure("the event cannot be read: \(error)")
    }
  }

  private func compareCounts(_ list: ChangeList, of next: Int, _ model: ModelSession) throws {
    var counts = [
      ("previousRevision", list.previousRevision, revision), ("revision", list.revision, next),
      ("rowCount", list.rowCount, story.after.rows.count),
    ]
    // For past revisions the model keeps the rows only.
    if next == model.revision {
      counts.append(("treeRevision", list.treeRevision, model.shared.revision))
      counts.append(("nodeCount", list.nodeCount, model.nodeCount))
    }
    for (name, value, expected) in counts {
      try expect(value == expected, "the event's \(name) is \(value), not \(expected)")
    }
  }

  private mutating func apply(_ list: ChangeList) throws {
    do {
      try replica.apply(list)
    } catch {
      throw failure("the replica of events is stuck: \(error)")
    }
    if replica.isUnsure { replica.readSections(story.after.sections) }
    if let difference = replica.difference(from: story.after.rows) { throw failure(difference) }
  }

  // MARK: - Reporting

  private func failure(_ findings: String...) -> DifferentialFailure {
    var failure = story
    failure.findings = findings
    return failure
  }

  private func expect(_ condition: Bool, _ finding: @autoclosure () -> String) throws {
    guard condition else { throw failure(finding()) }
  }

  private func expectNone(_ violations: [String]) throws {
    guard !violations.isEmpty else { return }
    var failure = story
    failure.findings = violations
    throw failure
  }
}
