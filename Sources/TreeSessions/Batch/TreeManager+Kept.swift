import TreeDomain
import TreeEngine

// Answers for retries, of the tree and of all sessions. They count as memory.
extension TreeManager {
  /// Returns the earlier answer of a session to a request with the same key; nil if there is none.
  ///
  /// - Throws: The earlier refusal; `idempotency-key-reused` if it was another request;
  ///   `overloaded` if the key is new and there is no memory for an answer.
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

  /// Returns the earlier answer to a request that was sent to the tree.
  ///
  /// - Throws: The same errors as for a session.
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

  /// Stores the answer of a session, if the request has an idempotency key.
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

  /// Stores the answer to a request that was sent to the tree, if it has an idempotency key.
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

  /// Removes the answer for a key, of a session or else of the tree.
  mutating func forgetAnswer(to token: [UInt8], of session: OpenSession?) {
    let before = session?.replays.weight ?? replays.weight
    if let session { session.replays.forget(token) } else { replays.forget(token) }
    countReplays((session?.replays.weight ?? replays.weight) - before)
  }

  /// Removes expired answers of the tree and of its awake sessions.
  ///
  /// - Complexity: O(*s* + *a*) for *s* awake sessions and *a* removed answers.
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

  /// Removes expired answers of some sleeping sessions.
  ///
  /// - Complexity: O(bytes of their details).
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

  /// The memory of all answers in bytes, computed anew.
  ///
  /// - Complexity: O(sessions + bytes of the details of sleeping ones).
  var replayWeight: Int {
    var weight = replays.weight
    for session in sessions.values { weight += session.replays.weight }
    for session in asleep.sessions.values { weight += session.state.replays.weight }
    return weight
  }
}
