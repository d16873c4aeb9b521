import TreeDomain

/// The events that wait for a follower.
///
/// The queue has limits of its own, and all queues together have a limit in ``SharedRoom``. Beyond
/// a limit its events are dropped, and the reader is behind until the missed changes are read. An
/// event that was read keeps its room until the next read, because it may still be on its way to
/// the client.
struct FollowerQueue {
  private struct Waiting {
    var event: FollowEvent
    /// The durability of the event.
    ///
    /// Until its commit is resolved, the event is not readable, because it may be lost.
    var durability: Durability
    /// The number of bytes taken from the shared room.
    var weight: Int
    /// True if the event counts for the limits of this queue.
    ///
    /// Missed changes do not count.
    var isCounted = true
  }

  private var events: [Waiting] = []
  /// The size of the counted events in bytes.
  private var weight = 0
  /// The size of the event that was read last in bytes.
  private var takenWeight = 0
  /// The revision of the reader after the events that it has read.
  private(set) var revision: Revision
  /// True if events were dropped, so that the queue is incomplete.
  var isBehind: Bool
  /// True if the session has ended.
  ///
  /// The last event says so.
  private(set) var hasEnded = false
  /// True if the follower was interrupted, so that its reader must reconnect.
  var isInterrupted = false
  /// True if the missed changes are being computed.
  var isAwaited = false
  var isCancelled = false
  /// True if events are never queued.
  ///
  /// The changes since the last read are computed when the reader asks.
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

  /// True if no more events are added.
  var isOver: Bool { hasEnded || isCancelled || isInterrupted }

  /// True if events are added.
  ///
  /// A reader that is behind gets the missed changes when it asks.
  var wantsEvents: Bool { !isBehind && !isOver && !composes }

  /// True if the missed changes should be computed now, because the queue is empty.
  var isToCatchUp: Bool { isBehind && events.isEmpty && !isOver && !isAwaited }

  /// Records a new revision, after its event was added if one is wanted.
  ///
  /// - Returns: True if the reader should be notified.
  mutating func recordRevision() -> Bool {
    guard composes else { return true }
    // A reader that is behind was notified already, or knows when to ask.
    guard !isBehind, !isOver else { return false }
    isBehind = true
    return true
  }

  /// Ends or interrupts the queue, because the tree cannot be read.
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

  /// Adds the changes of a revision.
  ///
  /// If there is not enough room, drops all events, and the reader is behind.
  mutating func add(_ answer: BatchAnswer, until durability: Durability) {
    let bytes = answer.weight
    guard events.count < maxEvents, weight + bytes <= maxBytes, room.reserve(bytes) else {
      giveUpEvents()
      isBehind = true
      return
    }
    weight += bytes
    events.append(Waiting(event: .changes(answer), durability: durability, weight: bytes))
  }

  /// Adds the missed changes, or `reset` if there is not enough room for them.
  mutating func append(
    missed event: FollowEvent,
    until durability: Durability,
    or reset: FollowEvent
  ) {
    var waiting = Waiting(event: event, durability: durability, weight: 0, isCounted: false)
    if case .changes(let answer) = event {
      waiting.weight = answer.weight
      if !room.reserve(waiting.weight) { (waiting.event, waiting.weight) = (reset, 0) }
    }
    events.append(waiting)
  }

  /// Drops all events.
  mutating func giveUpEvents() {
    room.giveBack(events.reduce(0) { $0 + $1.weight })
    weight = 0
    events = []
  }

  /// Drops all events, and releases the room of the event that was read last.
  mutating func removeAll() {
    giveUpEvents()
    passOn()
  }

  /// Releases the room of the event that was read last.
  private mutating func passOn() {
    room.giveBack(takenWeight)
    takenWeight = 0
  }

  /// Removes and returns the next event, if it is readable.
  ///
  /// Releases the room of the event that was read before.
  ///
  /// - Parameter holdingChanges: True to return only an end or an interruption. Changes before an
  ///   end are dropped, because nobody can ask about them any more.
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
    // An event that may still be lost is not readable.
    guard first.durability.isResolved else { return nil }
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
