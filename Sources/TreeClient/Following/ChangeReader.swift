import Foundation

/// The connection by which a session is followed.
struct ChangeReader<Object: Decodable & Sendable>: Sendable {
  let session: TreeSession
  let options: FollowOptions
  /// A function that waits until the consumer has rows, and returns their revision.
  ///
  /// It returns nil if the consumer wants no more.
  let position: (@Sendable () async -> Int?)?
  let mailbox: ChangeMailbox<Object>
  let state: StateTeller

  /// The time after which a connection counts as one that lasts.
  private static var lasting: Duration { .seconds(1) }
  /// The number of streams in a row that did not last, after which it polls.
  private static var briefStreams: Int { 3 }
  /// The time of polling after which it tries a stream again.
  private static var pollingTime: Duration { .seconds(300) }

  /// The course of a connection.
  private struct Course {
    var opened: FollowState?
    var openedAt: ContinuousClock.Instant?
    var heard = false
    var retry: Double?
    var at: Int?
  }

  /// Follows until the task is cancelled, or the session has ended.
  func run(from since: Int?) async {
    var at = since
    var reset: Int?
    var brief = 0
    var backoff = Backoff(session.client)
    while !Task.isCancelled {
      if let position {
        guard let held = await position() else { return }
        // The consumer may not have the reset yet.
        at = max(held, reset ?? held)
        reset = nil
      }
      let polls = brief >= Self.briefStreams
      let progress = Progress(at: at)
      let failure = await connect(polls: polls, progress)
      if Task.isCancelled { return }
      let course = await progress.course
      at = course.at
      backoff.base = course.retry ?? backoff.base
      let lasted = course.openedAt.map { session.client.pacing.now() - $0 >= Self.lasting } ?? false
      if course.heard || lasted { backoff.restart() }
      if let problem = failure, problem.code == "history-expired", let revision = problem.revision {
        (at, reset) = (revision, revision)
        await mailbox.put(.reset(revision: revision, rowCount: problem.rowCount ?? 0))
        continue
      }
      if let problem = failure, !problem.isRetryable { return await mailbox.fail(problem) }
      if polls && failure == nil {
        // One brief stream is enough to poll again.
        brief = Self.briefStreams - 1
        continue
      }
      if course.opened == .live {
        brief = lasted ? 0 : brief + 1
        if brief >= Self.briefStreams { continue }
      }
      await state(.offline)
      try? await backoff.pause(after: failure)
    }
  }

  /// Follows by one connection, until it ends.
  ///
  /// - Returns: The error that ended it; nil if it ended as it should.
  private func connect(polls: Bool, _ progress: Progress) async -> TreeProblem? {
    do {
      // Without a revision, a reconnection before the first list would miss changes.
      var from = await progress.course.at
      if from == nil {
        from = try await session.newest()
        await progress.begin(at: from)
      }
      if polls { try await poll(from, progress) } else { try await stream(from, progress) }
      return nil
    } catch {
      return TreeProblem(error)
    }
  }

  /// The course of a connection that another task reads.
  private actor Progress {
    private(set) var course = Course()

    init(at: Int?) { course.at = at }

    func begin(at revision: Int?) { course.at = revision }

    func open(_ state: FollowState, at time: ContinuousClock.Instant) {
      course.opened = state
      course.openedAt = course.openedAt ?? time
    }

    func hear(_ revision: Int) {
      course.heard = true
      course.at = revision
    }

    func wait(_ seconds: Double) { course.retry = seconds }
  }

  private func stream(_ since: Int?, _ progress: Progress) async throws {
    let query: Query = ["since": since.map(String.init)]
    var call = session.call(
      .followChanges,
      [],
      options.query.merging(query) { $1 },
      options.form.request
    )
    call.headers["Accept"] = "text/event-stream"
    let request = call
    try await Watchdog.run(limit: options.heartbeat * 2) { watchdog in
      let response = try await session.client.send(request)
      await progress.open(.live, at: session.client.pacing.now())
      await state(.live, from: since)
      var parser = EventParser()
      for try await piece in response.body {
        await watchdog.feed()
        for event in parser.feed(piece) {
          guard try await handle(event, progress) else { return }
        }
      }
      try Task.checkCancellation()
    }
  }

  /// Handles an event of a stream.
  ///
  /// Returns false if it is the last one.
  private func handle(_ event: ServerSentEvent, _ progress: Progress) async throws -> Bool {
    if let retry = event.retry.flatMap(Double.init), retry > 0 { await progress.wait(retry / 1000) }
    guard let data = event.data.map({ Data($0.utf8) }) else { return true }
    switch event.event {
    case "end":
      var problem = try JSONCoding.decode(TreeProblem.self, from: data)
      problem.status = 410
      guard problem.code == "shutting-down" else { throw problem }
      return false
    case "reset":
      let reset = try JSONCoding.decode(Reset.self, from: data)
      await hear(.reset(revision: reset.revision, rowCount: reset.rowCount), progress)
    default:
      await hear(.changes(try JSONCoding.decode(ChangeList<Object>.self, from: data)), progress)
    }
    return true
  }

  /// Polls until it is time to try a stream again.
  private func poll(_ since: Int?, _ progress: Progress) async throws {
    // A long poll needs a revision.
    guard var since else { return }
    let pacing = session.client.pacing
    let end = pacing.now() + Self.pollingTime
    var form = options.form
    form.request.attempts = 1
    form.request.timeout = .seconds(25) + options.heartbeat
    var wait = 0
    while pacing.now() < end {
      let list = try await session.followChanges(since: since, wait: wait, as: Object.self, form)
      wait = 25
      await progress.open(.polling, at: pacing.now())
      await state(.polling, from: list.revision)
      guard list.revision != since else {
        await progress.hear(since)
        continue
      }
      since = list.revision
      await hear(.changes(list), progress)
      if let interval = options.interval { try await pacing.sleep(interval) }
    }
  }

  private func hear(_ event: ChangeEvent<Object>, _ progress: Progress) async {
    await progress.hear(event.revision)
    await session.record(event.revision)
    await mailbox.put(event)
  }

  private struct Reset: Decodable {
    let revision: Int
    let rowCount: Int
  }
}
