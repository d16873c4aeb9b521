import TreeDomain

/// The events that wait for one follower to read them.
///
/// It is bounded by itself and, in the room they share, by all queues together. Beyond a bound its
/// events are given up, and the reader is behind until what it missed is read anew. What is taken
/// out has its room until the reader comes for more: it is on its way until then.
struct FollowerQueue {
  private struct Waiting {
    var event: FollowEvent
    /// Until when it is told to nobody, as it may still be lost.
    var durability: Durability
    /// How many bytes of the shared room are taken for it.
    var weight: Int
    /// Whether it counts for the queue's own bound; what was missed does not.
    var isCounted = true
  }

  private var events: [Waiting] = []
  /// The weight of those that count.
  private var weight = 0
  /// That of the event that was taken out last.
  private var takenWeight = 0
  /// The revision that the reader will be at when it has read the queue.
  private(set) var revision: Revision
  /// Events were given up, so that the queue is not the whole of it.
  var isBehind: Bool
  /// The session has ended; the event that says so is the last.
  private(set) var hasEnded = false
  /// The tree has left memory.
  var isInterrupted = false
  /// What was missed is being put together.
  var isAwaited = false
  var isCancelled = false
  /// True if nothing is queued for a revision: what it changed is read when the reader asks, with
  /// all else since the event before.
  let composes: Bool
  private let maxEvents: Int
  private let maxBytes: Int
  private let room: SharedRoom

  init(
    revision: Revision,
    isBehind: Bool,
    composes: Bool,
    _ limits: SessionLimits,
    _ room: SharedRoom
  ) {
    self.revision = revision
    self.isBehind = isBehind
    self.composes = composes
    self.room = room
    maxEvents = limits.maxQueuedEvents
    maxBytes = limits.maxQueuedEventBytes
  }

  /// True if nothing is added any more.
  var isOver: Bool { hasEnded || isCancelled || isInterrupted }

  /// True if events are added; a reader that is behind reads what it missed when it asks.
  var wantsEvents: Bool { !isBehind && !isOver && !composes }

  /// True if what was missed is to be read now: all that is queued has been taken.
  var isToCatchUp: Bool { isBehind && events.isEmpty && !isOver && !isAwaited }

  /// Notes a new revision, of which an event was added if one is wanted.
  ///
  /// - Returns: True if the reader is to be told that there is something to read.
  mutating func noteRevision() -> Bool {
    guard composes else { return true }
    // A reader that is behind already was told, or knows when to ask.
    guard !isBehind, !isOver else { return false }
    isBehind = true
    return true
  }

  /// Ends the queue, as the tree cannot be read.
  mutating func fail(_ error: ServiceError) {
    giveUpEvents()
    isAwaited = false
    if case .ended = FollowEvent(failure: error) {
      end(error, until: Durability())
    } else {
      isInterrupted = true
    }
  }

  /// Adds the end of the session as the last event.
  mutating func end(_ reason: ServiceError, until durability: Durability) {
    guard !isOver else { return }
    hasEnded = true
    events.append(
      Waiting(event: .ended(reason), durability: durability, weight: 0, isCounted: false)
    )
  }

  /// Adds what a revision changed, if there is room for it.
  mutating func add(_ answer: BatchAnswer, until durability: Durability) {
    let bytes = answer.weight
    guard events.count < maxEvents, weight + bytes <= maxBytes, room.take(bytes) else {
      giveUpEvents()
      isBehind = true
      return
    }
    weight += bytes
    events.append(Waiting(event: .changes(answer), durability: durability, weight: bytes))
  }

  /// Adds what was missed, for which the reader waits; or that everything is to be read again,
  /// where there is no room for that.
  mutating func append(
    missed event: FollowEvent,
    until durability: Durability,
    or reset: FollowEvent
  ) {
    var waiting = Waiting(event: event, durability: durability, weight: 0, isCounted: false)
    if case .changes(let answer) = event {
      waiting.weight = answer.weight
      if !room.take(waiting.weight) { (waiting.event, waiting.weight) = (reset, 0) }
    }
    events.append(waiting)
  }

  /// Gives up all events that wait.
  mutating func giveUpEvents() {
    room.giveBack(events.reduce(0) { $0 + $1.weight })
    weight = 0
    events = []
  }

  /// Gives up all events, and gives back the room of what was taken out, too.
  mutating func removeAll() {
    giveUpEvents()
    passOn()
  }

  /// What was taken out is not held any more.
  private mutating func passOn() {
    room.giveBack(takenWeight)
    takenWeight = 0
  }

  /// Takes the next event out, if there is one; the one before is passed on.
  ///
  /// - Parameter holdingChanges: True to take nothing but an end. It comes in place of the changes
  ///   before it, which nobody can ask about any more.
  /// - Returns: The event.
  mutating func take(holdingChanges: Bool) -> FollowEvent? {
    passOn()
    if isInterrupted { return .interrupted }
    if holdingChanges {
      guard hasEnded, let last = events.last else { return nil }
      giveUpEvents()
      events = [last]
    }
    guard let first = events.first else { return nil }
    // What may still be lost is told to nobody.
    guard first.durability.isSettled else { return nil }
    guard first.durability.loss == nil else { return .interrupted }
    events.removeFirst()
    if first.isCounted { weight -= first.weight }
    takenWeight = first.weight
    switch first.event {
    case .changes(let answer): revision = answer.revision
    case .reset(_, let now, _): revision = now
    case .ended, .interrupted: break
    }
    return first.event
  }
}
