import TreeDomain
import TreeEngine

// Answers that are kept for retries, those of the tree and of all its sessions, are bytes held.
extension TreeManager {
  /// What a session answered before to a request with the key; nil when it is new, or has none.
  ///
  /// - Throws: The refusal of then, or `idempotency-key-reused` when it was another request;
  ///   `overloaded` where it is new and there is no room for its answer.
  mutating func kept(
    for options: BatchOptions,
    of session: OpenSession,
    at now: Int
  ) throws(ServiceError) -> SessionAnswer? {
    guard let key = options.idempotency else { return nil }
    let before = session.replays.weight
    defer { countReplays(session.replays.weight - before) }
    if let known = try session.replays.answer(for: key, at: now, limits) { return known }
    if options.replayKey != nil { try checkRoom(bytes: 1) }
    return nil
  }

  /// The same for a request that no session sent.
  mutating func kept(
    for options: BatchOptions,
    at now: Int
  ) throws(ServiceError) -> TreeBatchAnswer? {
    guard let key = options.idempotency else { return nil }
    let before = replays.weight
    defer { countReplays(replays.weight - before) }
    if let known = try replays.answer(for: key, at: now, limits) { return known }
    if options.replayKey != nil { try checkRoom(bytes: 1) }
    return nil
  }

  /// Keeps what a session answers, where the request asked for that.
  mutating func keep(
    _ answer: Result<SessionAnswer, ServiceError>,
    of session: OpenSession,
    for options: BatchOptions,
    at now: Int
  ) {
    if copying.isCopy { return }
    let before = session.replays.weight
    let bytes = if case .success(let answer) = answer { answer.weight } else { 0 }
    session.replays.keep(answer, of: bytes, options, at: now, limits)
    countReplays(session.replays.weight - before)
  }

  /// Keeps what is answered to a request that no session sent.
  mutating func keep(
    _ answer: Result<TreeBatchAnswer, ServiceError>,
    for options: BatchOptions,
    at now: Int
  ) {
    if copying.isCopy { return }
    let before = replays.weight
    replays.keep(answer, of: 0, options, at: now, limits)
    countReplays(replays.weight - before)
  }

  /// Forgets what a session, or else the tree, answered to a request.
  mutating func forgetAnswer(to token: [UInt8], of session: OpenSession?) {
    let before = session?.replays.weight ?? replays.weight
    if let session { session.replays.forget(token) } else { replays.forget(token) }
    countReplays((session?.replays.weight ?? replays.weight) - before)
  }

  /// Forgets answers that are kept no longer: those of the tree and of sessions that are awake.
  ///
  /// - Complexity: O(*s* + *a*) for *s* sessions that are awake and *a* answers that go.
  mutating func forgetOldAnswers(at now: Int) {
    var change = -replays.weight
    replays.forgetOld(now, limits)
    change += replays.weight
    for session in sessions.values {
      change -= session.replays.weight
      session.replays.forgetOld(now, limits)
      change += session.replays.weight
    }
    countReplays(change)
  }

  /// The same of some sessions that sleep.
  ///
  /// - Complexity: O(what is kept of them).
  mutating func forgetOldAnswers(ofSleeping ids: ArraySlice<SessionID>, at now: Int) {
    var change = 0
    for id in ids {
      guard let sleeping = asleep.sessions[id], !sleeping.details.isEmpty else { continue }
      var state = sleeping.state
      let (count, before) = (state.replays.count, state.replays.weight)
      state.replays.forgetOld(now, limits)
      guard state.replays.count < count else { continue }
      change += state.replays.weight - before
      let (options, ahead) = (sleeping.options, sleeping.ahead)
      asleep.add(SleepingSession(options: options, ahead: ahead, details: state.bytes), id)
    }
    countReplays(change)
  }

  /// What the answers weigh, added up anew.
  ///
  /// - Complexity: O(sessions, and what is kept of those that sleep).
  var replayWeight: Int {
    var weight = replays.weight
    for session in sessions.values { weight += session.replays.weight }
    for session in asleep.sessions.values { weight += session.state.replays.weight }
    return weight
  }
}
