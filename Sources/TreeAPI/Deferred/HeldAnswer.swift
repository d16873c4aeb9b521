import HTTP
import TreeDomain

/// A deferred answer that waits until the change it reports is durable.
final class HeldAnswer: LateAnswer {
  private let response: Response
  private let durability: Durability

  private init(_ response: Response, _ durability: Durability) {
    self.response = response
    self.durability = durability
  }

  /// Replies once the reported change is durable, or with the error if it can never be.
  static func reply(_ response: consuming Response, _ durability: Durability) -> Reply {
    guard durability.isResolved else { return .later(HeldAnswer(response, durability)) }
    if let loss = durability.loss { return .response(loss.response) }
    return .response(response)
  }

  func start(_ waker: Waker) { durability.receipt?.whenResolved(waker.body) }

  func next(now: Moment) -> LateStep {
    guard durability.isResolved else { return .waitBriefly }
    return .answer(durability.loss?.response ?? response)
  }

  func cancel() {}

  /// Returns false, because the change may be durable already or become so.
  func withdraw() -> Bool { false }
}
