import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeEngine
import TreeStorage

@testable import TreeSessions

/// Checks that answers kept for retries count as memory until they are forgotten.
struct KeptBytesTests {
  private let clock = ManualClock()

  private static func key(_ number: Int, _ fingerprint: Int = 1) -> BatchOptions {
    var options = BatchOptions()
    let token = Array("key \(number)".utf8)
    options.idempotency = IdempotencyKey(token: token, fingerprint: UInt64(fingerprint))
    return options
  }

  private func start(
    _ limits: SessionLimits,
    over storage: (any TreeStorage)? = nil
  ) throws -> SessionStore {
    guard let storage else { return SessionStore(limits: limits) { [clock] in clock.now } }
    return try SessionStore(limits: limits, storage: storage) { [clock] in clock.now }
  }

  /// Checks that the counted bytes are the sum over all trees, which it brings into memory.
  private func check(_ store: SessionStore, _ trees: [LockedTree], _ comment: String) throws {
    var (held, all) = (0, 0)
    for tree in trees {
      let (bytes, counted, kept) = try tree.withTree(.blocking) { manager in
        (manager.held, manager.content.account.replayBytes, manager.replayWeight)
      }
      #expect(counted == kept, "\(comment)")
      held += bytes.engine.content + kept
      all += bytes.bytes
    }
    #expect(store.core.usage.bytes == held, "\(comment)")
    all += SessionTable.entryBytes * store.core.table.withLock(\.sessions.count)
    let bytes = store.core.usage.memory.bytes
    #expect(bytes.total - bytes[.commits] - bytes[.events] == all, "\(comment)")
  }

  @Test(arguments: [false, true])
  func `the counted bytes are those that all sessions keep, after any operations`(
    isStored: Bool
  ) throws {
    for seed in Seed.seeds(count: 3) { try checkHistory(seed, isStored ? MemoryStorage() : nil) }
  }

  private func checkHistory(_ seed: UInt64, _ storage: MemoryStorage?) throws {
    var random = SeededGenerator(seed: seed)
    var limits = SessionLimits()
    (limits.maxReplays, limits.maxReplayBytes, limits.replaySeconds) = (3, 3_000, 64)
    (limits.idleSessionSeconds, limits.maxIdleViewsPerTree, limits.snapshotEntries) = (10, 0, 5)
    clock.now = 1_000
    var store = try start(limits, over: storage)
    let tree = try store.make("t")
    let own = try StoreUnderTest("{}", in: store).id
    var shared: [SessionID] = []
    for step in 0..<Seed.operations(default: 120) {
      let comment = "seed \(seed), step \(step)"
      let options = Self.key(random.number(in: 0...9), step)
      let batch = random.oneIn(4) ? #"{"op":"remove","key":"x"}"# : Self.insertion(step)
      let body = Array(#"{"operations":[\#(batch)]}"#.utf8)
      switch random.number(in: 0...11) {
      case 0: shared.append(try StoreUnderTest(#"{"tree":"t"}"#, in: store).id)
      case 1 where !shared.isEmpty:
        let last = shared.remove(at: random.number(in: 0...(shared.count - 1)))
        try store.deleteSession(last)
      case 2: _ = try? store.apply(Batch.decode(body: body), to: tree, options)
      case 3: clock.now += random.number(in: 1...40)
      case 4: store.runMaintenance()
      case 5 where storage != nil: store = try start(limits, over: storage)
      case 6: try store.find(tree).withTree(.blocking) { $0.compact() }
      case 7:
        let patch = try SessionPatch.decode(body: Array(#"{"accordion":\#(step % 2 == 0)}"#.utf8))
        _ = try? store.patchSession(own, patch, options)
      default:
        let session = ([own] + shared)[random.number(in: 0...shared.count)]
        _ = try? StoreUnderTest(session, of: store).apply(body, options)
      }
      let trees = try [store.find(tree), store.find(own)]
      try check(store, trees, comment)
    }
    for id in shared + [own] { try store.deleteSession(id) }
    try store.deleteTree(tree)
    #expect(store.core.usage.memory.total == 0, "seed \(seed)")
  }

  private static func insertion(_ number: Int) -> String {
    let text = String(repeating: "x", count: number % 50)
    return #"{"op":"insert","key":"n\#(number)","object":"\#(text)"}"#
  }

  @Test func `without room a keyed request is refused before it is applied`() throws {
    var limits = SessionLimits()
    limits.maxMemoryBytes = 200_000
    let store = try start(limits)
    let session = try StoreUnderTest("{}", in: store)
    let other = try StoreUnderTest("{}", in: store)
    var kept = 0
    while true {
      let full = refusal { () throws(ServiceError) in
        try session.apply(#"{"op":"expandAll"}"#, options: Self.key(kept + 1))
      }
      if full != nil { break }
      kept += 1
    }
    let (revision, bytes) = (try other.revision(), store.core.usage.bytes)
    for options in [Self.key(1_000), Self.key(1_001)] {
      let full = refusal { () throws(ServiceError) in
        try other.apply(#"{"op":"collapseAll"}"#, options: options)
      }
      #expect(full?.code == .overloaded && full?.limit == limits.maxMemoryBytes)
    }
    #expect(try other.revision() == revision && store.core.usage.bytes == bytes)
    #expect(try session.apply(#"{"op":"expandAll"}"#, options: Self.key(kept)).wasReplayed)
    try other.apply(#"{"op":"collapseAll"}"#)
    var planned = Self.key(1_002)
    planned.isDryRun = true
    try other.apply(#"{"op":"collapseAll"}"#, options: planned)
    try store.deleteSession(session.id)
    #expect(try !other.apply(#"{"op":"expandAll"}"#, options: Self.key(1_000)).wasReplayed)
  }

  @Test func `forgotten answers return their bytes, even those of sleeping sessions`() throws {
    var limits = SessionLimits()
    (limits.replaySeconds, limits.idleSessionSeconds, limits.maxIdleViewsPerTree) = (160, 10, 0)
    clock.now = 1_000
    let store = try start(limits)
    let tree = try store.make("t")
    store.runMaintenance()
    let empty = store.core.usage.bytes
    let sessions = try (0..<3).map { _ in try StoreUnderTest(#"{"tree":"t"}"#, in: store) }
    for session in sessions {
      try session.apply(#"{"op":"expandAll"}"#, options: Self.key(1))
      try session.apply(#"{"op":"collapseAll"}"#, options: Self.key(2))
    }
    let full = store.core.usage.bytes
    clock.now += 11
    _ = try sessions[0].keys()
    store.runMaintenance()
    let asleep = try store.find(tree).withTree(.blocking) { $0.asleep.sessions.count }
    #expect(asleep == 2 && store.core.usage.bytes == full && full > empty)
    clock.now += 161
    store.runMaintenance()
    #expect(store.core.usage.bytes == empty)
    #expect(try !sessions[1].apply(#"{"op":"expandAll"}"#, options: Self.key(1)).wasReplayed)
  }
}
