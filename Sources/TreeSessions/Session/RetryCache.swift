import TreeDomain
import TreeEngine

/// The answers for retries, of a tree and of its sessions.
///
/// They count as memory of the tree.
struct RetryCache {
  /// The answers to requests that were sent to the tree.
  private(set) var answers = Replays<TreeBatchAnswer>()

  init() {}

  /// Restores the answers of the tree from an image.
  init(_ answers: Replays<TreeBatchAnswer>) { self.answers = answers }

  /// Returns the earlier answer of a session to a request with the same key; nil if there is none.
  ///
  /// - Throws: The earlier refusal; `idempotency-key-reused` if it was another request;
  ///   `overloaded` if the key is new and there is no memory for an answer.
  func kept(
    for options: BatchOptions,
    of session: OpenSession,
    at now: Int,
    in content: inout TreeContent
  ) throws(ServiceError) -> SessionAnswer? {
    guard let key = options.idempotency else { return nil }
    let before = session.replays.weight
    defer { content.countReplays(session.replays.weight - before) }
    if let known = try session.replays.answer(for: key, at: now, content.limits) { return known }
    if options.replayKey != nil { try content.checkRoom(bytes: 1) }
    return nil
  }

  /// Returns the earlier answer to a request that was sent to the tree.
  ///
  /// - Throws: The same errors as for a session.
  mutating func kept(
    for options: BatchOptions,
    at now: Int,
    in content: inout TreeContent
  ) throws(ServiceError) -> TreeBatchAnswer? {
    guard let key = options.idempotency else { return nil }
    let before = answers.weight
    defer { content.countReplays(answers.weight - before) }
    if let known = try answers.answer(for: key, at: now, content.limits) { return known }
    if options.replayKey != nil { try content.checkRoom(bytes: 1) }
    return nil
  }

  /// Stores the answer of a session, if the request has an idempotency key.
  func keep(
    _ answer: Result<SessionAnswer, ServiceError>,
    of session: OpenSession,
    for options: BatchOptions,
    at now: Int,
    in content: inout TreeContent
  ) {
    let before = session.replays.weight
    let bytes = if case .success(let answer) = answer { answer.weight } else { 0 }
    session.replays.keep(answer, of: bytes, options, at: now, content.limits)
    content.countReplays(session.replays.weight - before)
  }

  /// Stores the answer to a request that was sent to the tree, if it has an idempotency key.
  mutating func keep(
    _ answer: Result<TreeBatchAnswer, ServiceError>,
    for options: BatchOptions,
    at now: Int,
    in content: inout TreeContent
  ) {
    let before = answers.weight
    answers.keep(answer, of: 0, options, at: now, content.limits)
    content.countReplays(answers.weight - before)
  }

  /// Removes the answer for a key, of a session or else of the tree.
  mutating func forget(_ token: [UInt8], of session: OpenSession?, in content: inout TreeContent) {
    let before = session?.replays.weight ?? answers.weight
    if let session { session.replays.forget(token) } else { answers.forget(token) }
    content.countReplays((session?.replays.weight ?? answers.weight) - before)
  }

  /// Removes expired answers of the tree and of its awake sessions.
  ///
  /// - Complexity: O(*s* + *a*) for *s* awake sessions and *a* removed answers.
  mutating func forgetOld(
    at now: Int,
    of sessions: borrowing OpenSessions,
    in content: inout TreeContent
  ) {
    var change = -answers.weight
    answers.forgetOld(now, content.limits)
    change += answers.weight
    for session in sessions.values {
      change -= session.replays.weight
      session.replays.forgetOld(now, content.limits)
      change += session.replays.weight
    }
    content.countReplays(change)
  }

  /// Removes expired answers of some sleeping sessions.
  ///
  /// - Complexity: O(bytes of their details).
  func forgetOld(
    ofSleeping ids: ArraySlice<SessionID>,
    at now: Int,
    _ asleep: inout SleepingSessions,
    in content: inout TreeContent
  ) {
    var change = 0
    for id in ids {
      guard let sleeping = asleep.sessions[id], !sleeping.details.isEmpty else { continue }
      var state = sleeping.state
      let (count, before) = (state.replays.count, state.replays.weight)
      state.replays.forgetOld(now, content.limits)
      guard state.replays.count < count else { continue }
      change += state.replays.weight - before
      let (options, ahead) = (sleeping.options, sleeping.ahead)
      asleep.add(SleepingSession(options: options, ahead: ahead, details: state.bytes), id)
    }
    content.countReplays(change)
  }

  /// Returns the memory of all answers in bytes, computed anew.
  ///
  /// - Complexity: O(sessions + bytes of the details of sleeping ones).
  func weight(with sessions: borrowing OpenSessions, _ asleep: SleepingSessions) -> Int {
    var weight = answers.weight
    for session in sessions.values { weight += session.replays.weight }
    for session in asleep.sessions.values { weight += session.state.replays.weight }
    return weight
  }
}

extension BatchOptions {
  /// The key under which the answer is stored; nil if the answer is not stored.
  var replayKey: IdempotencyKey? { isDryRun ? nil : idempotency }
}

extension Replays {
  /// Stores an answer if the request has a key, and if a retry must get the same answer.
  mutating func keep(
    _ answer: Result<Answer, ServiceError>,
    of bytes: Int,
    _ options: BatchOptions,
    at now: Int,
    _ limits: SessionLimits
  ) {
    guard let key = options.replayKey else { return }
    if case .failure(let refusal) = answer, !refusal.code.isOfApplying { return }
    keep(answer, of: bytes, for: key, at: now, limits)
  }
}
