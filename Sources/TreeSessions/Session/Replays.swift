import TreeDomain
import TreeEngine

/// Answers to requests with an idempotency key.
///
/// A retry gets the answer, and changes nothing.
///
/// The newest answers are kept, up to a number and a size in bytes.
struct Replays<Answer: Sendable>: Sendable {
  struct Kept: Sendable {
    var fingerprint: UInt64
    var answer: Result<Answer, ServiceError>
    var weight: Int
  }

  /// A client's token with its hash.
  struct Token: Hashable, Sendable {
    let bytes: [UInt8]
    private let hash: Int

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      hash = seededHash(of: bytes.span)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  /// The approximate memory of an entry without the contents of token and answer, in bytes.
  ///
  /// Tables and lists have more places than entries; one and a half for each are assumed.
  private static var entryBytes: Int {
    let entry = MemoryLayout<Token>.stride + MemoryLayout<Kept>.stride
    return 48 + (entry + MemoryLayout<(Token, Int)>.stride) * 3 / 2
  }

  var kept: [Token: Kept] = [:]
  /// The tokens in the order of their answers, with their times.
  ///
  /// Tokens before `first` are forgotten.
  var order: [(token: Token, time: Int)] = []
  private(set) var first = 0
  /// The earliest time of the answers; nil if there are none.
  ///
  /// The answers need not be in the order of their times, because a later request may end earlier.
  ///
  /// - Complexity: O(*n*) for *n* answers.
  var oldestTime: Int? { order[first...].lazy.map(\.time).min() }
  var weight = 0

  /// Returns the answer to an earlier request with the same key; nil if there is none.
  ///
  /// - Throws: The refusal of the earlier request, or `idempotency-key-reused` if the key was used
  ///   for a different request.
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

  /// Stores an answer, and forgets the oldest answers beyond the limits.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - bytes: The approximate size of an answer that is no refusal, in bytes.
  ///   - key: The idempotency key of the request.
  ///   - now: The time in seconds.
  ///   - limits: The limits.
  mutating func keep(
    _ answer: Result<Answer, ServiceError>,
    of bytes: Int,
    for key: IdempotencyKey,
    at now: Int,
    _ limits: SessionLimits
  ) {
    let contents = if case .failure(let refusal) = answer { refusal.byteCount } else { bytes }
    let entry = Kept(
      fingerprint: key.fingerprint,
      answer: answer,
      weight: contents + key.token.count + Self.entryBytes
    )
    let token = Token(key.token)
    kept[token] = entry
    order.append((token, now))
    weight += entry.weight
    // The newest answer stays whatever its size, because it is the most likely one to be retried.
    while order.count - first > 1,
      order.count - first > limits.maxReplays || weight > limits.maxReplayBytes
    { forgetFirst() }
  }

  /// Forgets the answer for a token, because its request was not applied.
  mutating func forget(_ token: [UInt8]) {
    let token = Token(token)
    guard let known = kept.removeValue(forKey: token) else { return }
    weight -= known.weight
    order[first...].removeAll { $0.token == token }
  }

  /// Forgets expired answers.
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

extension ServiceErrorCode {
  /// True if the refusal depends on trees and views, not on the moment, a limit or the syntax.
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

/// An answer that can be stored for retries, and encoded for storage.
protocol Replayable: Sendable {
  /// Encodes the answer.
  func write(to writer: inout ByteWriter)

  /// Decodes an answer.
  ///
  /// - Throws: `damaged`.
  init(reading reader: inout ByteReader) throws(ImageError)
}
