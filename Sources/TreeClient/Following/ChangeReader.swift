import Foundation

/// The connection by which a session is followed.
struct ChangeReader<Object: Decodable & Sendable>: Sendable {
  let session: TreeSession
  let options: FollowOptions
  let position: (@Sendable () async -> Int?)?
  let mailbox: ChangeMailbox<Object>
  let state: StateTeller

  /// The state of a connection.
  private struct Course {
    var opened: FollowState?
    var heard = false
    var retry: Double?
    var at: Int?
  }

  /// Follows until the task is cancelled, or the session has ended.
  func run(from since: Int?) async {
    var at = since
    var attempt = 0
    var brief = 0
    var retry = 1.0
    while !Task.isCancelled {
      if let position { at = await position() }
      var failure: TreeProblem?
      let began = session.client.pacing.now()
      let progress = Progress(at: at)
      do {
        // Without a revision, a reconnection before the first list would miss changes.
        if at == nil && position == nil { await progress.begin(at: try await session.newest()) }
        let from = await progress.course.at
        if brief < 3 {
          try await stream(from, progress)
        } else {
          try await poll(from, progress)
        }
      } catch {
        if Task.isCancelled { return }
        failure = TreeProblem(error)
      }
      let course = await progress.course
      at = course.at
      retry = course.retry ?? retry
      if course.heard { attempt = 0 }
      if let problem = failure, problem.code == "history-expired" {
        at = problem.revision
        await mailbox.put(
          .reset(revision: problem.revision ?? 0, rowCount: problem.rowCount ?? 0)
        )
        continue
      }
      if let problem = failure, !problem.isRetryable { return await mailbox.fail(problem) }
      if course.opened == .live {
        brief = session.client.pacing.now() - began < .seconds(1) ? brief + 1 : 0
        if brief > 2 { continue }
      }
      await state(.offline)
      try? await session.client.pacing.pause(after: attempt, failure, base: retry)
      attempt += 1
    }
  }

  /// The state of a connection that another task reads.
  private actor Progress {
    private(set) var course = Course()

    init(at: Int?) { course.at = at }

    func begin(at revision: Int) { course.at = revision }

    func open(_ state: FollowState) { course.opened = state }

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
      await progress.open(.live)
      await state(.live)
      var parser = EventParser()
      for try await piece in response.body {
        await watchdog.feed()
        for event in parser.feed(piece) {
          guard try await take(event, progress) else { return }
        }
      }
      try Task.checkCancellation()
    }
  }

  /// Handles an event of a stream.
  ///
  /// Returns false if it is the last one.
  private func take(_ event: ServerSentEvent, _ progress: Progress) async throws -> Bool {
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

  private func poll(_ since: Int?, _ progress: Progress) async throws {
    // A long poll needs a revision.
    var since = if let since { since } else { try await session.newest() }
    var form = options.form
    form.request.attempts = 1
    form.request.timeout = .seconds(25) + options.heartbeat
    while true {
      let list = try await session.followChanges(since: since, wait: 25, as: Object.self, form)
      await progress.open(.polling)
      await state(.polling)
      guard list.revision != since else { continue }
      since = list.revision
      await hear(.changes(list), progress)
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
