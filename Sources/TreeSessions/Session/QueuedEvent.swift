import TreeDomain

/// An event in the queues of one or more followers.
///
/// Followers with equal options share the event, and so its memory, which counts once.
final class QueuedEvent: Sendable {
  let event: FollowEvent
  /// The size of the changes in bytes.
  let weight: Int
  private let room: SharedRoom?

  /// Makes an event without changes, which takes no room.
  init(_ event: FollowEvent) {
    self.event = event
    weight = 0
    room = nil
  }

  /// Makes an event with changes; nil if there is not enough room.
  init?(_ answer: BatchAnswer, in room: SharedRoom) {
    guard room.reserve(answer.weight) else { return nil }
    event = .changes(answer)
    weight = answer.weight
    self.room = room
  }

  deinit { room?.giveBack(weight) }
}
