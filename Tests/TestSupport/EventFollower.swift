/// Keeps a ``ReplicaClient`` of a session from nothing but its events, and compares it with the
/// model after each of them.
///
/// Now and then it loses the stream and goes on after the last event that came. An event has its
/// data on one line, so what the model shows is compared with spaces for line breaks.
struct EventFollower {
  /// What a failure will tell.
  var story: DifferentialFailure
  private let events: any EventsUnderTest
  private let session: String
  private var source: (any EventSource)?
  private var replica: ReplicaClient
  /// The revision that the replica is at.
  private var revision: Int
  /// The revision up to which the next event tells what was missed; `nil` when nothing was.
  private var missed: Int?
  /// The last event, if it told one revision.
  private(set) var told: ToldRevision?
  private var random: SeededGenerator

  /// How many revisions are missed at the most before the stream is opened again.
  private static let patience = DifferentialRun.keptRevisions / 2

  private static let query = "include=rows&limit=1000"

  /// Follows a session from now on.
  ///
  /// - Parameters:
  ///   - session: The session's path.
  ///   - model: The session in the model.
  ///   - events: Where its events come from.
  ///   - story: What a failure will tell; its seed decides when the stream is lost.
  /// - Throws: When the service opens no stream.
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

  /// Reads the events up to the revision that the model is at, unless the stream is lost.
  ///
  /// - Throws: ``DifferentialFailure`` when they do not lead to what the model shows.
  mutating func follow(_ model: ModelSession) throws {
    if source == nil {
      let isBehind = model.revision - revision >= EventFollower.patience
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

  /// Reads one event: of the next revision, or of all that were missed.
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

  /// The change list that an event brings, if it is of the revision.
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
      told = ToldRevision(json, query: EventFollower.query)
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
    // Of revisions that have passed the model remembers the rows alone.
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
