import TreeDomain
import TreeEngine

/// What was answered to requests with an idempotency key, so that a retry is answered alike and
/// changes nothing.
///
/// Keeps the newest, up to a number and a weight in bytes; both bound what one session can hold.
struct Replays<Answer: Sendable>: Sendable {
  struct Kept: Sendable {
    var fingerprint: UInt64
    var answer: Result<Answer, ServiceError>
    var weight: Int
  }

  /// A client's token, hashed once.
  struct Token: Hashable, Sendable {
    let bytes: [UInt8]
    private let hash: Int

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      hash = seededHash(of: bytes.span)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  /// About how many bytes an entry takes beside its key and its answer.
  private static var entryBytes: Int { 192 }

  var kept: [Token: Kept] = [:]
  /// The tokens in the order of their answers, with when those were given; those before `first` are
  /// forgotten.
  var order: [(token: Token, time: Int)] = []
  private(set) var first = 0
  /// The least time of the answers that are kept, which came in another order than their requests;
  /// nil where none is.
  ///
  /// - Complexity: O(*n*) for *n* answers.
  var oldestTime: Int? { order[first...].lazy.map(\.time).min() }
  var weight = 0

  /// What a request with the key was answered before; nil when it is new.
  ///
  /// - Throws: The refusal of then, or `idempotency-key-reused` when it was another request.
  mutating func answer(
    for key: IdempotencyKey,
    at now: Int,
    _ limits: SessionLimits
  ) throws(ServiceError) -> Answer? {
    forgetOld(now, limits)
    guard let known = kept[Token(key.token)] else { return nil }
    guard known.fingerprint == key.fingerprint else {
      throw .idempotencyKeyReused
    }
    switch known.answer {
    case .success(let answer): return answer
    case .failure(var refusal):
      refusal.wasReplayed = true
      throw refusal
    }
  }

  /// Keeps an answer of about so many bytes.
  mutating func keep(
    _ answer: Result<Answer, ServiceError>,
    of bytes: Int,
    for key: IdempotencyKey,
    at now: Int,
    _ limits: SessionLimits
  ) {
    let entry = Kept(
      fingerprint: key.fingerprint,
      answer: answer,
      weight: bytes + key.token.count + Self.entryBytes
    )
    let token = Token(key.token)
    kept[token] = entry
    order.append((token, now))
    weight += entry.weight
    // The newest one stays whatever it weighs: it is the one most likely asked for again.
    while order.count - first > 1,
      order.count - first > limits.maxReplays || weight > limits.maxReplayBytes
    { forgetFirst() }
  }

  /// Forgets what was answered to a request, which has not happened.
  mutating func forget(_ token: [UInt8]) {
    let token = Token(token)
    guard let known = kept.removeValue(forKey: token) else { return }
    weight -= known.weight
    order[first...].removeAll { $0.token == token }
  }

  /// Forgets answers that are kept no longer.
  mutating func forgetOld(_ now: Int, _ limits: SessionLimits) {
    while first < order.count, now - order[first].time > limits.replaySeconds { forgetFirst() }
  }

  private mutating func forgetFirst() {
    weight -= kept.removeValue(forKey: order[first].token)?.weight ?? 0
    first += 1
    if first > 64, first * 2 > order.count {
      order.removeFirst(first)
      first = 0
    }
  }
}

extension ServiceError {
  /// The key was given to another request.
  static var idempotencyKeyReused: ServiceError {
    ServiceError(
      .idempotencyKeyReused,
      "This Idempotency-Key was used for another request; choose a new one for each."
    )
  }
}

extension ServiceErrorCode {
  /// Whether it tells what a request met among the trees, and not of the moment, of a limit or of
  /// the message.
  var isOfApplying: Bool {
    switch self {
    case .nodeNotFound, .sectionNotFound, .parentNotFound, .treeNotFound, .treeExists,
      .duplicateKey, .cycle, .anchorNotASibling, .indexOutOfRange, .selectionMode,
      .hiddenByFilter:
      true
    default: false
    }
  }
}
