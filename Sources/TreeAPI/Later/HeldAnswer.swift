import HTTP
import TreeDomain

/// An answer that waits until what it tells is on disk.
final class HeldAnswer: LateAnswer {
  private let response: Response
  private let durability: Durability

  private init(_ response: Response, _ durability: Durability) {
    self.response = response
    self.durability = durability
  }

  /// Replies with a response as soon as what it tells is on disk, and with the reason if that will
  /// never be.
  static func reply(_ response: consuming Response, _ durability: Durability) -> Reply {
    guard durability.isSettled else { return .later(HeldAnswer(response, durability)) }
    if let loss = durability.loss { return .response(loss.response) }
    return .response(response)
  }

  func start(_ waker: Waker) { durability.receipt?.whenSettled(waker.body) }

  func next(now: Moment) -> LateStep {
    guard durability.isSettled else { return .waitBriefly }
    return .answer(durability.loss?.response ?? response)
  }

  func cancel() {}

  /// What it tells may be on disk by now, or will be.
  func withdraw() -> Bool { false }
}
