import TestSupport
import TreeCluster
import TreeStorage

/// A database and instances in one process, with delays, lost messages, pauses and clock jumps.
///
/// It has the rules of leases and terms that the statements of the storage have. What instances
/// decide is decided by ``SlotPlan`` and ``LeaseWatch``.
struct ModelCluster {
  /// The tables.
  struct Database {
    struct Instance {
      var until: Int
      var isLeaving = false
    }
    var instances: [Int: Instance] = [:]
    var owners: [Int]
    var terms: [Int]
    /// The difference of its clock to the time, which jumps.
    var jump = 0
    var lastID = 0
  }

  /// An instance.
  struct Instance {
    let address: String
    /// The difference of its monotonic clock to the time.
    let offset: Int
    var id: Int
    /// The end of what it trusts, by its own clock.
    var end: Int
    var terms: [Int?]
    var isBusy: [Bool]
    var plan = SlotPlan()
    var watch = LeaseWatch(trustedMilliseconds: 4_000)
    var isLeaving = false
    var isDead = false
    var pausedUntil = 0
    var cutUntil = 0
    var nextBeat: Int
  }

  /// A thing that happens at a time.
  enum Event {
    /// An instance asks; the database does it; the instance hears of it.
    case beat(Int)
    case beatAtDatabase(Int, sentAt: Int, id: Int)
    case beatHeard(Int, Answer)
    case acquire(Int, slot: Int, id: Int)
    case acquired(Int, slot: Int, id: Int, term: Int?)
    case released(Int, slot: Int, id: Int, term: Int)
  }

  /// The answer to a heartbeat.
  struct Answer {
    var sentAt: Int
    var id: Int
    var isKnown: Bool
    var leases: [LeaseWatch.Lease]
    var leaving: Set<Int>
    var owners: [Int]
    var terms: [Int]
  }

  static let slots = 8
  var random: SeededGenerator
  var now = 0
  var database = Database(
    owners: Array(repeating: 0, count: slots),
    terms: Array(repeating: 0, count: slots)
  )
  var instances: [Instance] = []
  private var events: [(time: Int, order: Int, event: Event)] = []
  private var lastOrder = 0
  /// The number of times that a slot came to an instance, by slot.
  var moves = Array(repeating: 0, count: slots)
  /// True while messages take long and clocks jump.
  var isFaulty = true

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  var databaseClock: Int { now + database.jump }

  /// Adds an instance, which the database knows at once.
  mutating func start(address: String) {
    database.lastID += 1
    database.instances[database.lastID] = .init(until: databaseClock + 5_000)
    let offset = random.number(in: 0...1_000_000)
    instances.append(
      Instance(
        address: address,
        offset: offset,
        id: database.lastID,
        end: now + offset + 4_000,
        terms: Array(repeating: nil, count: Self.slots),
        isBusy: Array(repeating: false, count: Self.slots),
        nextBeat: now
      )
    )
    add(.beat(instances.count - 1), in: 0)
  }

  /// The instances that would serve a slot.
  func servers(of slot: Int) -> [Int] {
    instances.indices.filter { index in
      let instance = instances[index]
      return !instance.isDead && instance.terms[slot] != nil
        && now + instance.offset < instance.end
    }
  }

  private mutating func add(_ event: Event, in delay: Int) {
    lastOrder += 1
    events.append((now + delay, lastOrder, event))
  }

  /// The time that a message takes; nil if it is lost.
  private mutating func delay(of index: Int) -> Int? {
    if instances[index].cutUntil > now { return nil }
    guard isFaulty, random.oneIn(6) else { return random.number(in: 0...20) }
    return random.number(in: 0...3_000)
  }

  /// Does the next thing.
  mutating func step() {
    guard
      let place = events.indices.min(by: {
        (events[$0].time, events[$0].order) < (events[$1].time, events[$1].order)
      })
    else { return }
    let (time, _, event) = events.remove(at: place)
    now = max(now, time)
    switch event {
    case .beat(let index): beat(index)
    case .beatAtDatabase(let index, let sentAt, let id): beatAtDatabase(index, sentAt, id)
    case .beatHeard(let index, let answer): hear(index, answer, event)
    case .acquire(let index, let slot, let id): acquire(index, slot, id)
    case .acquired(let index, let slot, let id, let term):
      guard !postpone(index, event) else { return }
      instances[index].isBusy[slot] = false
      guard let term, instances[index].id == id else { return }
      instances[index].terms[slot] = term
      moves[slot] += 1
    case .released(let index, let slot, let id, let term):
      if database.owners[slot] == id, database.terms[slot] == term { database.owners[slot] = 0 }
      instances[index].isBusy[slot] = false
    }
  }

  /// Returns true if the instance is stopped, or gone; what it would do then comes later.
  private mutating func postpone(_ index: Int, _ event: Event) -> Bool {
    let instance = instances[index]
    if instance.isDead { return true }
    guard instance.pausedUntil > now else { return false }
    add(event, in: instance.pausedUntil - now)
    return true
  }

  private mutating func beat(_ index: Int) {
    guard !postpone(index, .beat(index)) else { return }
    let instance = instances[index]
    if let delay = delay(of: index) {
      let sentAt = now + instance.offset
      add(.beatAtDatabase(index, sentAt: sentAt, id: instance.id), in: delay)
    } else {
      add(.beat(index), in: 1_000)
    }
  }

  private mutating func beatAtDatabase(_ index: Int, _ sentAt: Int, _ id: Int) {
    let isKnown = database.instances[id] != nil
    if isKnown {
      let until = databaseClock + 5_000
      database.instances[id]?.until = until
      database.instances[id]?.isLeaving = instances[index].isLeaving
    }
    let answer = Answer(
      sentAt: sentAt,
      id: id,
      isKnown: isKnown,
      leases: database.instances.keys.sorted().map { lease(of: $0) },
      leaving: Set(database.instances.filter { $0.value.isLeaving }.keys),
      owners: database.owners,
      terms: database.terms
    )
    if let delay = delay(of: index) {
      add(.beatHeard(index, answer), in: delay)
    } else {
      add(.beat(index), in: 1_000)
    }
  }

  private func lease(of id: Int) -> LeaseWatch.Lease {
    let until = database.instances[id]?.until ?? 0
    return LeaseWatch.Lease(id: id, until: until, isPast: until < databaseClock)
  }

  private mutating func hear(_ index: Int, _ answer: Answer, _ event: Event) {
    guard !postpone(index, event) else { return }
    add(.beat(index), in: answer.leaving.isEmpty ? 1_000 : 100)
    guard answer.isKnown else { return enterAnew(index) }
    for slot in 0..<Self.slots {
      guard let term = instances[index].terms[slot] else { continue }
      let isTaken = answer.terms[slot] > term
      if isTaken || answer.terms[slot] == term && answer.owners[slot] != answer.id {
        instances[index].terms[slot] = nil
      }
    }
    let clock = now + instances[index].offset
    instances[index].end = answer.sentAt + 4_000
    let alive = instances[index].watch.record(answer.leases, at: clock)
    let view = ClusterView(
      id: answer.id,
      members: alive.sorted().map { id in
        let address = instances.last { $0.id == id }?.address ?? "gone"
        return .init(id: id, address: address, isLeaving: answer.leaving.contains(id))
      },
      owners: answer.owners.map { alive.contains($0) ? $0 : nil }
    )
    decide(index, view, at: clock)
  }

  private mutating func decide(_ index: Int, _ view: ClusterView, at clock: Int) {
    let holds = (0..<Self.slots).map { slot -> SlotPlan.Hold in
      if instances[index].isBusy[slot] { return .busy }
      return instances[index].terms[slot] == nil ? .absent : .held
    }
    let isLeaving = instances[index].isLeaving
    for action in instances[index].plan.decide(view, holds, at: clock, isLeaving: isLeaving) {
      switch action {
      case .acquire(let slot):
        instances[index].isBusy[slot] = true
        add(.acquire(index, slot: slot, id: view.id), in: delay(of: index) ?? 2_000)
      case .release(let slot):
        instances[index].isBusy[slot] = true
        guard let term = instances[index].terms[slot] else { continue }
        instances[index].terms[slot] = nil
        add(
          .released(index, slot: slot, id: view.id, term: term),
          in: delay(of: index) ?? 2_000
        )
      case .drop(let slot): instances[index].terms[slot] = nil
      }
    }
  }

  private mutating func enterAnew(_ index: Int) {
    database.lastID += 1
    database.instances[database.lastID] = .init(until: databaseClock + 5_000)
    instances[index].id = database.lastID
    instances[index].end = now + instances[index].offset + 4_000
    instances[index].terms = Array(repeating: nil, count: Self.slots)
  }

  /// The transaction that acquires a slot, and the way of its answer.
  private mutating func acquire(_ index: Int, _ slot: Int, _ id: Int) {
    let instance = instances[index]
    let owner = database.owners[slot]
    var term: Int?
    let isAlive = database.instances[id].map { $0.until >= databaseClock } ?? false
    let isFree =
      owner == 0 || owner == id || database.instances[owner] == nil
      || instance.watch.isOver(lease(of: owner), at: now + instance.offset)
    if isAlive, isFree {
      database.owners[slot] = id
      database.terms[slot] += 1
      term = database.terms[slot]
    }
    let way = delay(of: index) ?? 2_000
    add(.acquired(index, slot: slot, id: id, term: term), in: way)
  }
}
