/// The one event that waits for a consumer, or a mark that lists of changes were dropped.
///
/// If a list arrives while another one waits, both are dropped. One net list over them is read when
/// the consumer asks for it, so a slow consumer costs neither memory nor requests. A reset replaces
/// whatever waits, and lists that arrive after it only update its revision and row count.
actor ChangeMailbox<Object: Decodable & Sendable> {
  private enum Content {
    case nothing
    case event(ChangeEvent<Object>)
    /// The service knows of changes that were dropped here.
    case behind
  }

  private let session: TreeSession
  private let position: (@Sendable () async -> Int?)?
  private let options: FollowOptions
  private let signal: AsyncStream<Void>.Continuation
  private var content = Content.nothing
  private var failure: TreeProblem?
  /// The revision after the last taken event.
  private var taken: Int?
  /// The last revision that the consumer had, or was told.
  private var known: Int?

  init(
    session: TreeSession,
    since: Int?,
    _ position: (@Sendable () async -> Int?)?,
    _ options: FollowOptions,
    _ signal: AsyncStream<Void>.Continuation
  ) {
    self.session = session
    self.position = position
    self.options = options
    self.signal = signal
    taken = since
  }

  /// Adds an event from the service.
  func put(_ event: ChangeEvent<Object>) {
    if case .changes(let list) = event, taken == nil { taken = list.previousRevision }
    switch (content, event) {
    case (.nothing, _), (_, .reset): content = .event(event)
    case (.event(.reset), .changes(let list)):
      content = .event(.reset(revision: list.revision, rowCount: list.rowCount))
    case (.event(.changes), .changes), (.behind, .changes): content = .behind
    }
    signal.yield()
  }

  /// Ends the events with an error.
  func fail(_ problem: TreeProblem) {
    failure = problem
    signal.yield()
  }

  /// Returns the next event; nil if there is none yet.
  func take() async throws -> ChangeEvent<Object>? {
    while true {
      // The consumer may have newer rows, from reads or answers to changes.
      if let position = await position?() {
        // A revision that falls was lost in a crash, and comes again with other rows.
        taken = position < known ?? 0 ? position : max(taken ?? 0, position)
        known = position
      }
      let found = content
      content = .nothing
      switch found {
      case .nothing:
        if let failure { throw failure }
        return nil
      case .event(.reset(let revision, let rowCount)):
        (taken, known) = (revision, revision)
        return .reset(revision: revision, rowCount: rowCount)
      case .event(.changes(let list)):
        if list.revision <= taken ?? -1 { continue }
        if list.previousRevision == taken ?? list.previousRevision {
          (taken, known) = (list.revision, list.revision)
          return .changes(list)
        }
        if let event = try await net() { return event }
      case .behind:
        if let event = try await net() { return event }
      }
    }
  }

  /// Reads the net list of the dropped events from the service.
  private func net() async throws -> ChangeEvent<Object>? {
    guard let since = taken else { return nil }
    var form = options.form
    form.request.attempts = .max
    form.request.timeout = options.heartbeat * 2
    do {
      let list = try await session.followChanges(since: since, as: Object.self, form)
      (taken, known) = (list.revision, list.revision)
      return list.revision == since ? nil : .changes(list)
    } catch let problem as TreeProblem where problem.code == "history-expired" {
      (taken, known) = (problem.revision, problem.revision)
      return .reset(revision: problem.revision ?? 0, rowCount: problem.rowCount ?? 0)
    }
  }
}
