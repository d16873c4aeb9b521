import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// A machine whose wall clock is set from time to time, and a sequence of processes that run on it.
private final class Machine {
  let boot = ManualClock()
  let wall = ManualClock()
  let storage = MemoryStorage()
  private(set) var store: SessionStore

  init(at wallSeconds: Int) throws {
    let (boot, wall) = (boot, wall)
    boot.now = 7
    wall.now = wallSeconds
    store = try SessionStore(
      storage: storage,
      clock: { boot.now },
      wallClock: { wall.now }
    )
  }

  /// Lets time pass, with regular maintenance.
  func pass(_ seconds: Int) {
    for _ in 0..<seconds {
      boot.now += 1
      wall.now += 1
      if boot.now % SessionStore.maintenanceSeconds == 0 { store.runMaintenance() }
    }
  }

  /// Ends the process, and starts another one after a number of seconds.
  ///
  /// If the machine was booted, its monotonic clock starts again.
  func start(after seconds: Int, isBooted: Bool = false) throws {
    let (boot, wall) = (boot, wall)
    boot.now = isBooted ? 3 : boot.now + seconds
    wall.now += seconds
    store = try SessionStore(
      storage: storage,
      clock: { boot.now },
      wallClock: { wall.now }
    )
  }

  func makeSession(idle seconds: Int) throws -> SessionID {
    let body = Array(#"{"idleTimeoutSeconds":\#(seconds)}"#.utf8)
    return try store.createSession(NewSession.decode(body: body), nil).description.session
  }

  /// Makes a tree, with its name as idempotency key.
  func makeTree(_ name: String) throws -> Created<TreeDescription> {
    let key = IdempotencyKey(token: Array(name.utf8), fingerprint: 1)
    return try store.createTree(.decode(body: Array(#"{"tree":"\#(name)"}"#.utf8)), key)
  }

  /// Returns true if a session exists.
  ///
  /// Counts as a use.
  func has(_ session: SessionID) -> Bool {
    (try? store.session(session, expectedRevision: nil)) != nil
  }
}

struct ClockTests {
  private static let year = 365 * 86_400

  @Test(arguments: [-year, -3_600, 3_600, 56 * year], [false, true])
  func `setting the wall clock while a process runs ends no session`(
    step: Int,
    isBooted: Bool
  ) throws {
    let machine = try Machine(at: 57 * Self.year)
    let session = try machine.makeSession(idle: 600)
    machine.pass(20)
    machine.wall.now += step
    for round in 0..<3 {
      machine.pass(20)
      #expect(machine.has(session), "round \(round)")
      machine.pass(20)
      try machine.start(after: 100, isBooted: isBooted)
    }
    #expect(machine.has(session))
    try machine.start(after: 1_000, isBooted: isBooted)
    #expect(!machine.has(session), "so long it lay idle")
  }

  @Test func `a wall clock that starts again with the machine ends no session`() throws {
    let machine = try Machine(at: 0)
    let session = try machine.makeSession(idle: 600)
    for _ in 0..<5 {
      machine.pass(10)
      machine.wall.now += 56 * Self.year
      machine.pass(500)
      #expect(machine.has(session))
      machine.pass(10)
      machine.wall.now = 0
      try machine.start(after: 0, isBooted: true)
    }
    machine.pass(700)
    #expect(!machine.has(session))
  }

  @Test func `downtime counts as idle time`() throws {
    let machine = try Machine(at: Self.year)
    let sessions = try [100, 400].map { try machine.makeSession(idle: $0) }
    machine.pass(10)
    machine.wall.now += Self.year
    machine.pass(10)
    try machine.start(after: 200)
    #expect(sessions.map(machine.has) == [false, true])
  }

  @Test func `the time continues across processes, and never goes back`() throws {
    let seed = Seed.fromEnvironment()
    var random = SeededGenerator(seed: seed)
    let machine = try Machine(at: Self.year)
    var (last, passed) = (machine.store.core.clock(), 0)
    for _ in 0..<200 {
      let seconds = random.number(in: 0...30)
      switch random.number(in: 0...3) {
      case 0:
        machine.wall.now += random.number(in: -1_000...1_000)
        // The next maintenance stores the new reading.
        machine.pass(SessionStore.maintenanceSeconds)
        passed += SessionStore.maintenanceSeconds
      case 1:
        try machine.start(after: seconds, isBooted: random.oneIn(2))
        passed += seconds
      default:
        machine.pass(seconds)
        passed += seconds
      }
      let now = machine.store.core.clock()
      #expect(now >= last, "SEED=\(seed)")
      last = now
    }
    // If the wall clock was set by one second, the reading was not stored.
    #expect(abs(last - Self.year - passed) <= 200, "SEED=\(seed)")
  }

  /// Of two clocks that count seconds, one may tick while a process runs, and the other only after
  /// its end.
  @Test func `answers are remembered although the two clocks do not tick together`()
    throws
  {
    let machine = try Machine(at: Self.year)
    let session = try machine.makeSession(idle: 600)
    machine.pass(10)
    #expect(machine.has(session))
    machine.pass(10)
    machine.boot.now += 1
    _ = try machine.makeTree("a")
    try machine.start(after: 0)
    for tree in ["b", "c"] { #expect(try !machine.makeTree(tree).wasReplayed) }
    try machine.start(after: 0)
    for tree in ["a", "b", "c"] { #expect(try machine.makeTree(tree).wasReplayed, "\(tree)") }
  }

  @Test func `the clock reading is stored at first, with changes, and after one was set`() throws {
    let machine = try Machine(at: 1_000)
    #expect(machine.storage.clockReading() == ClockReading(seconds: 1_000, wallSeconds: 1_000))
    machine.pass(50)
    let session = try machine.makeSession(idle: 20)
    machine.pass(10)
    #expect(machine.has(session))
    machine.pass(5)
    let first = try #require(machine.storage.clockReading())
    #expect(first.lead == 0 && first.seconds > 1_050)
    machine.pass(100)
    #expect(machine.storage.clockReading() == first, "nobody did anything")
    machine.wall.now += 2
    machine.pass(5)
    #expect(machine.storage.clockReading()?.lead == 2)
  }

  @Test func `the clock reading is not older than an hour`() throws {
    let machine = try Machine(at: 1_000)
    _ = try machine.makeTree("a")
    machine.pass(10)
    let first = try #require(machine.storage.clockReading())
    machine.pass(SessionStore.maxReadingAge)
    let second = try #require(machine.storage.clockReading())
    #expect(second.seconds > first.seconds && second.lead == first.lead)
  }

  @Test(arguments: [(1_050, 55), (1_090, 95), (1_091, 95), (90_000, 95), (900, 5)])
  func `a downtime that cannot have passed is not counted`(wall: Int, seconds: Int) {
    let reading = ClockReading(seconds: 5, wallSeconds: 1_000)
    let clock = ServiceClock({ 7 }, wall: { wall }, after: reading, maxDowntime: 90)
    #expect(clock.seconds == seconds)
  }

  /// Opening a slot of a cluster reads the database meanwhile, which can take seconds.
  @Test func `a wall clock that jumps while a store is opened is read once`() throws {
    let storage = MemoryStorage()
    try storage.commit([.setClock(ClockReading(seconds: 5, wallSeconds: 1_000))])
    let jumps = ManualClock()
    let store = try SessionStore(
      storage: storage,
      clock: { 7 },
      wallClock: {
        jumps.now += 100_000
        return jumps.now
      },
      maxDowntime: 90
    )
    #expect(store.core.clock() == 95)
  }
}
