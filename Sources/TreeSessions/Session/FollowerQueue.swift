import TreeDomain

/// The events that wait for one follower to read them.
///
/// It is bounded by itself and, in the room they share, by all queues together. Beyond a bound its
/// events are given up, and the reader is behind until what it missed is read anew.
struct FollowerQueue {
  private struct Waiting {
    var event: FollowEvent
    /// Until when it is told to nobody, as it may still be lost.
    var durability: Durability
    /// How many bytes of the shared room are taken for it.
    var weight: Int
  }

  private var events: [Waiting] = []
  private var weight = 0
  /// The revision that the reader will be at when it has read the queue.
  private(set) var revision: Revision
  /// Events were given up, so that the queue is not the whole of it.
  var isBehind: Bool
  var hasEnded = false
  /// The tree has left memory.
  var isInterrupted = false
  /// What was missed is being put together.
  var isAwaited = false
  var isCancelled = false
  private let eventsMax: Int
  private let bytesMax: Int
  private let room: SharedRoom

  init(revision: Revision, isBehind: Bool, _ limits: SessionLimits, _ room: SharedRoom) {
    self.revision = revision
    self.isBehind = isBehind
    self.room = room
    eventsMax = limits.maxQueuedEvents
    bytesMax = limits.maxQueuedBytes
  }

  /// Whether nothing is added any more.
  var isOver: Bool { hasEnded || isCancelled || isInterrupted }

  /// Adds what a revision changed, if there is room for it.
  mutating func add(_ answer: BatchAnswer, until durability: Durability) {
    let bytes = answer.weight
    guard events.count < eventsMax, weight + bytes <= bytesMax, room.take(bytes) else {
      removeAll()
      isBehind = true
      return
    }
    weight += bytes
    events.append(Waiting(event: .changes(answer), durability: durability, weight: bytes))
  }

  /// Adds what was missed, for which the reader waits.
  mutating func append(missed event: FollowEvent, until durability: Durability) {
    events.append(Waiting(event: event, durability: durability, weight: 0))
  }

  /// Gives up all events.
  mutating func removeAll() {
    room.giveBack(weight)
    weight = 0
    events = []
  }

  /// Takes the next event out, if there is one.
  mutating func take() -> FollowEvent? {
    if isInterrupted { return .interrupted }
    guard let first = events.first else { return hasEnded ? .ended : nil }
    // What may still be lost is told to nobody.
    guard first.durability.isSettled else { return nil }
    guard first.durability.loss == nil else { return .interrupted }
    events.removeFirst()
    weight -= first.weight
    room.giveBack(first.weight)
    switch first.event {
    case .changes(let answer): revision = answer.revision
    case .reset(_, let now, _): revision = now
    case .ended, .interrupted: break
    }
    return first.event
  }
}
