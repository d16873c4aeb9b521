import TestSupport
import Testing
import TreeDomain
import TreeEngine
import TreeStorage

@testable import TreeSessions

/// A tree is a fold over its journal.
///
/// Read from its entries, or from a snapshot and later entries, the tree is the same byte for byte.
/// So are its sessions and their history.
@Suite(.serialized) struct FoldTests {
  @Test(arguments: RandomProfile.all)
  func `a tree read equals the tree that was changed`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 2) { try check(seed, profile, SessionLimits()) }
  }

  /// Accepted changes are accepted again, and refused ones are not.
  @Test(arguments: RandomProfile.all)
  func `a tree read equals the tree that was changed within limits`(profile: RandomProfile) throws {
    var limits = SessionLimits()
    limits.maxDepth = 1
    limits.maxNodesPerTree = 18
    limits.maxSections = 3
    limits.maxObjectBytes = 40
    limits.maxChanges = 5
    limits.maxExpansionRulesPerTree = 3
    limits.history.commits = 2
    limits.history.rows = 6
    limits.history.removedNodes = 3
    limits.history.readings = 8
    for seed in Seed.seeds(count: 2) { try check(seed, profile, limits) }
  }

  private func check(
    _ seed: UInt64,
    _ profile: RandomProfile,
    _ limits: SessionLimits
  ) throws {
    var operations = RandomOperations(seed: seed &+ 400, profile: profile)
    var random = SeededGenerator(seed: seed)
    let options = operations.treeOptions()
    let shared = try ModelSharedTree(options)
    // The second store writes snapshots; the first never does.
    let storages = [MemoryStorage(), MemoryStorage()]
    let name = try #require(TreeID(validating: "t".utf8))
    var sessions: [[StoreUnderTest]] = [[], []]
    for storage in storages {
      // The tree may exceed the limits.
      let new = try NewTree.decode(body: options.treeJSON(tree: "t"))
      _ = try Self.start(storage, false, SessionLimits()).createTree(new, nil)
    }
    let stores = try storages.enumerated().map { try Self.start($1, $0 == 1, limits) }
    for _ in 0..<2 {
      let options = operations.options(over: shared)
      _ = try ModelSession(options, over: shared)
      for index in stores.indices {
        let text = String(decoding: options.json(tree: "t"), as: UTF8.self)
        sessions[index].append(try StoreUnderTest(text, in: stores[index]))
      }
    }
    let model = try ModelSession(operations.options(over: shared), over: shared)
    for step in 0..<Seed.operations(default: 30) {
      let batch = operations.batch(for: model)
      _ = try? model.apply(batch)
      guard let read = try? Batch.decode(body: ModelOperation.batch(batch)) else { continue }
      let actor = random.number(in: 0...1)
      var options = BatchOptions()
      if random.oneIn(3) {
        let token = Array("k\(random.number(in: 0...9))".utf8)
        options.idempotency = IdempotencyKey(token: token, fingerprint: UInt64(step))
      }
      for index in stores.indices {
        let session = sessions[index][actor]
        _ = try? stores[index].apply(read, to: session.id, options)
      }
      guard random.oneIn(6) else { continue }
      try compare(
        stores,
        storages,
        sessions,
        name,
        limits,
        "seed \(seed), \(profile), step \(step)"
      )
    }
    try compare(stores, storages, sessions, name, limits, "seed \(seed), \(profile)")
    #expect(storages.map { $0.snapshot(of: TreeNumber(1)) != nil } == [false, true])
  }

  @Test(
    arguments: [\.maxReplays, \.replaySeconds]
      as [any WritableKeyPath<SessionLimits, Int> & Sendable]
  )
  func `a forgotten and reused key is replayed although more is remembered by then`(
    limit: any WritableKeyPath<SessionLimits, Int> & Sendable
  ) throws {
    let storage = MemoryStorage()
    let clock = ManualClock()
    var limits = SessionLimits()
    limits[keyPath: limit] = 1
    let store = try SessionStore(limits: limits, storage: storage, clock: { clock.now })
    let tree = try store.createTree(NewTree.decode(body: Array("{}".utf8)), nil).description.tree
    let name = String(decoding: tree.bytes, as: UTF8.self)
    let session = try StoreUnderTest(#"{"tree":"\#(name)"}"#, in: store)
    for (token, key) in [("a", "one"), ("b", "two"), ("a", "three")] {
      var options = BatchOptions()
      options.idempotency = IdempotencyKey(token: Array(token.utf8), fingerprint: 1)
      try session.apply(#"{"op":"insert","key":"\#(key)"}"#, options: options)
      let own = Array(#"{"operations":[{"op":"insert","key":"tree \#(key)"}]}"#.utf8)
      _ = try store.apply(Batch.decode(body: own), to: tree, options)
      clock.now += 2
    }
    limits[keyPath: limit] = 1_000
    let anew = try SessionStore(limits: limits, storage: storage, clock: { clock.now })
    #expect(try anew.picture(of: tree) == store.picture(of: tree))
    #expect(try anew.picture(of: session.id) == store.picture(of: session.id))
  }

  private static func start(
    _ storage: MemoryStorage,
    _ writesSnapshots: Bool,
    _ limits: SessionLimits,
    maxReplays: Int = 2
  ) throws -> SessionStore {
    var limits = limits
    limits.maxReplays = maxReplays
    limits.snapshotEntries = writesSnapshots ? 4 : .max
    limits.snapshotWork = .seconds(86_400)
    return try SessionStore(limits: limits, storage: storage, clock: { 1_000 })
  }

  private func compare(
    _ stores: [SessionStore],
    _ storages: [MemoryStorage],
    _ sessions: [[StoreUnderTest]],
    _ tree: TreeID,
    _ limits: SessionLimits,
    _ comment: String
  ) throws {
    let expected = try stores[0].picture(of: tree)
    for index in stores.indices {
      // Under these limits, keys that were reused would still be known.
      let anew = try Self.start(storages[index], false, limits, maxReplays: 1_000)
      #expect(try stores[index].picture(of: tree) == expected, "\(comment)")
      #expect(try anew.picture(of: tree) == expected, "\(comment)")
      for session in sessions[index] {
        let live = try stores[index].picture(of: session.id)
        #expect(try anew.picture(of: session.id) == live, "\(comment)")
        let past = try stores[index].past(of: session.id)
        #expect(try anew.past(of: session.id) == past, "\(comment)")
      }
    }
  }
}
