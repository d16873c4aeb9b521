import TreeDomain

/// The events that wait for a follower.
///
/// The queue has limits of its own, and all queues together have a limit in ``SharedRoom``. Beyond
/// a limit its events are dropped, and the reader is behind until the missed changes are read. An
/// event that was read takes room until the next read, because its text may still be on its way to
/// the client.
struct FollowerQueue {
  private struct Waiting {
    var event: QueuedEvent
    /// The durability of the event.
    ///
    /// Until its commit is resolved, the event is not readable, because it may be lost.
    let durability: Durability
    /// True if the event counts for the limits of this queue.
    ///
    /// Missed changes do not count.
    var isCounted = true
  }

  private var events: [Waiting] = []
  /// The size of the counted events in bytes.
  private var weight = 0
  /// The event that was read last, if no other queue had it; its room is that of its text.
  private var taken: QueuedEvent?
  /// The number of bytes of the shared room that the text of a shared event has taken.
  private var textBytes = 0
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

  /// The approximate memory of an entry of the queue in bytes.
  ///
  /// The capacity of an array may be twice its count.
  private static var entryBytes: Int { 2 * MemoryLayout<Waiting>.stride }

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
    let end = QueuedEvent(.ended(reason))
    events.append(Waiting(event: end, durability: durability, isCounted: false))
  }

  /// Adds the changes of a revision.
  ///
  /// If there is not enough room, drops all events, and the reader is behind.
  ///
  /// - Parameters:
  ///   - event: The event; nil if there is no room for it.
  ///   - durability: The durability of the changes.
  mutating func add(_ event: QueuedEvent?, until durability: Durability) {
    guard let event, events.count < maxEvents, weight + event.weight <= maxBytes,
      room.reserve(Self.entryBytes)
    else { return fallBehind() }
    weight += event.weight
    events.append(Waiting(event: event, durability: durability))
  }

  /// Drops all events, so that the missed changes are computed when the reader asks.
  private mutating func fallBehind() {
    giveUpEvents()
    isBehind = true
  }

  /// Adds the missed changes, or `reset` if there is not enough room for them.
  mutating func append(
    missed event: FollowEvent,
    until durability: Durability,
    or reset: FollowEvent
  ) {
    var queued = QueuedEvent(reset)
    if case .changes(let answer) = event { queued = QueuedEvent(answer, in: room) ?? queued }
    events.append(Waiting(event: queued, durability: durability, isCounted: false))
  }

  /// Drops all events.
  mutating func giveUpEvents() {
    room.giveBack(Self.entryBytes * events.count(where: \.isCounted))
    weight = 0
    events = []
  }

  /// Drops all events, and releases the room of the event that was read last.
  mutating func removeAll() {
    giveUpEvents()
    passOn()
  }

  /// Releases the room of the text of the event that was read last.
  private mutating func passOn() {
    taken = nil
    room.giveBack(textBytes)
    textBytes = 0
  }

  /// Takes room for the text of the first event, or keeps the event's if no other queue has it.
  private mutating func takeTextRoom() -> Bool {
    if isKnownUniquelyReferenced(&events[0].event) {
      taken = events[0].event
      return true
    }
    let bytes = events[0].event.weight
    guard bytes == 0 || room.reserve(bytes) else { return false }
    textBytes = bytes
    return true
  }

  /// Removes and returns the next event, if it is readable.
  ///
  /// Releases the room of the event that was read before. If there is not enough room for the text
  /// of the next one, drops all events, and the reader is behind.
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
    // An event that may still be lost is not readable.
    guard let durability = events.first?.durability, durability.isResolved else { return nil }
    guard durability.loss == nil else { return .interrupted }
    guard takeTextRoom() else {
      if hasEnded { return take(holdingChanges: true) }
      fallBehind()
      return nil
    }
    let first = events.removeFirst()
    if first.isCounted {
      weight -= first.event.weight
      room.giveBack(Self.entryBytes)
    }
    switch first.event.event {
    case .changes(let answer): revision = answer.revision
    case .reset(_, let now, _): revision = now
    case .ended, .interrupted: break
    }
    return first.event.event
  }
}
