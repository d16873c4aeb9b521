import HTTP
import TreeDomain

/// A reply that waits until the changes that it shows are committed.
///
/// Only storage that another instance may take over asks for this (``TreeStorage/readsWait``).
final class HeldRead: LateAnswer {
  private let reply: Reply
  private let shown: [Durability]

  private init(_ reply: Reply, _ shown: [Durability]) {
    self.reply = reply
    self.shown = shown
  }

  /// Makes a reply wait until all that an attempt has read is committed.
  ///
  /// - Parameters:
  ///   - reply: The reply.
  ///   - attempt: The attempt.
  ///   - isRead: True if the request changes nothing. Otherwise a deferred reply waits by itself.
  /// - Returns: The reply itself, if there is nothing to wait for.
  static func reply(_ reply: Reply, _ attempt: Attempt, isRead: Bool = false) -> Reply {
    if case .later = reply, !isRead { return reply }
    let shown = attempt.shown
    return shown.isEmpty ? reply : .later(HeldRead(reply, shown))
  }

  /// Returns an error that is reported once all that an attempt has read is committed.
  static func error(_ error: ServiceError, _ attempt: Attempt) -> ServiceError {
    guard error.durability.receipt == nil, let last = attempt.shown.last else { return error }
    var error = error
    error.durability = last
    return error
  }

  private var successor: (any LateAnswer)? {
    if case .later(let answer) = reply { answer } else { nil }
  }

  func start(_ waker: Waker) {
    for durability in shown { durability.receipt?.whenResolved(waker.body) }
    successor?.start(waker)
  }

  func next(now: Moment) -> LateStep {
    guard shown.allSatisfy(\.isResolved) else { return .waitBriefly }
    if let loss = shown.lazy.compactMap(\.loss).first {
      successor?.cancel()
      return .answer(loss.response)
    }
    switch reply {
    case .response(let response): return .answer(response)
    case .later(let answer): return answer.next(now: now)
    }
  }

  func cancel() { successor?.cancel() }
  func withdraw() -> Bool { successor?.withdraw() ?? true }
  func drain() { successor?.drain() }
  func clientFinished() { successor?.clientFinished() }
}
