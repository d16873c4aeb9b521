import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeEngine
import TreeStorage

@testable import TreeSessions

/// Checks that unused sessions sleep, and are unchanged when they wake.
struct SleepTests {
  private let clock = ManualClock()

  private func limits(awake: Int = 0) -> SessionLimits {
    var limits = SessionLimits()
    limits.idleSessionSeconds = 10
    limits.maxIdleViewsPerTree = awake
    return limits
  }

  /// Creates a store with a shared tree `t`, whose sessions sleep after ten unused seconds.
  private func store(awake: Int = 0, over storage: (any TreeStorage)? = nil) throws -> SessionStore
  {
    clock.now = 1_000
    let store = try makeStore(awake: awake, over: storage)
    try store.make(
      "t",
      #""sections":["A","B"],"nodes":[{"key":"a","section":"A","children":[{"key":"b","children":"#
        + #"[{"key":"c"}]}]},{"key":"d","section":"B"}]"#
    )
    return store
  }

  private func makeStore(awake: Int, over storage: (any TreeStorage)?) throws -> SessionStore {
    guard let storage else {
      return SessionStore(limits: limits(awake: awake), clock: { [clock] in clock.now })
    }
    return try SessionStore(
      limits: limits(awake: awake),
      storage: storage,
      clock: { [clock] in clock.now }
    )
  }

  private func wait(_ store: SessionStore, seconds: Int = 11) {
    clock.now += seconds
    store.runMaintenance()
  }

  private func manager<Value>(
    _ store: SessionStore,
    _ body: (inout TreeManager) -> sending Value
  ) throws -> Value {
    let id = try #require(TreeID(validating: "t".utf8))
    return try store.find(id).withTree(.blocking, body)
  }

  private func awake(_ store: SessionStore) throws -> Int {
    try manager(store) { $0.sessions.count }
  }

  // MARK: Who sleeps

  @Test func `an unused session falls asleep, and wakes when it is used`() throws {
    let store = try store()
    let sessions = try (0..<5).map { _ in try StoreUnderTest(#"{"tree":"t"}"#, in: store) }
    wait(store, seconds: 9)
    #expect(try awake(store) == 5)
    let rows = try sessions[0].rows()
    wait(store, seconds: 2)
    #expect(try awake(store) == 1, "one was used two seconds ago")
    wait(store)
    #expect(try awake(store) == 0)
    #expect(store.statistics.sessions == 5)
    for session in sessions { #expect(try session.rows().count == rows.count) }
    #expect(try awake(store) == 5)
  }

  @Test func `the permitted number of sessions stays awake, those used last`() throws {
    let store = try store(awake: 2)
    let sessions = try (0..<5).map { _ in
      clock.now += 1
      return try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    }
    _ = try sessions[1].rows()
    wait(store)
    let awake = try manager(store) { Set($0.sessions.keys) }
    #expect(awake == [sessions[1].id, sessions[4].id])
  }

  @Test func `a followed session does not sleep, nor directly after`() throws {
    let store = try store()
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    let following = try store.follow(session.id, since: nil, BatchOptions()) {}
    wait(store)
    #expect(try awake(store) == 1)
    following.cancel()
    wait(store, seconds: 9)
    #expect(try awake(store) == 1)
    wait(store)
    #expect(try awake(store) == 0)
  }

  @Test func `sleeping sessions leave one view for all of them`() throws {
    let store = try store()
    let writer = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    for _ in 0..<20 {
      let session = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
      try session.apply(#"{"op":"collapse","key":"a"}"#, #"{"op":"select","keys":["c","d"]}"#)
    }
    wait(store)
    try writer.apply(#"{"op":"insert","key":"e"}"#)
    #expect(try awake(store) == 1)
    let views = try manager(store) { manager in
      (0..<100).filter { manager.content.tree.view(numbered: $0) != nil }.count
    }
    #expect(views == 2, "the one of the writer, and one for all others")
  }

  @Test func `awake sessions stay the same when the views of others are removed`() throws {
    let store = try store(awake: 3)
    let sessions = try (0..<200).map { number in
      let options = number % 2 == 0 ? "" : #","order":"breadthFirst""#
      return try StoreUnderTest(#"{"tree":"t"\#(options)}"#, in: store)
    }
    clock.now += 1
    for session in sessions.suffix(3) { try session.apply(#"{"op":"toggle","key":"a"}"#) }
    let rows = try sessions.suffix(3).map { try $0.rows() }
    let since = try sessions.suffix(3).map { try $0.revision() }
    wait(store)
    #expect(try awake(store) == 3)
    #expect(try manager(store) { $0.sessions.values.map(\.view.number).max() ?? 0 } < 64)
    #expect(try sessions.suffix(3).map { try $0.rows() } == rows)
    try sessions[0].apply(#"{"op":"insert","key":"e"}"#)
    for (session, since) in zip(sessions.suffix(3), since) {
      let list = try store.changes(of: session.id, ChangesQuery(since: Revision(since)))
      #expect(StoreUnderTest.json(list).contains(#""key":"e""#))
    }
  }

  // MARK: What it is when it wakes

  private static let changes = [
    #"{"op":"insert","key":"x","parent":"b"}"#,
    #"{"op":"remove","key":"b"},{"op":"insert","key":"b","parent":"a","children":[{"key":"c"}]}"#,
    #"{"op":"setChildren","key":"b","children":null},{"op":"insert","key":"c","parent":"b"}"#,
    #"{"op":"move","key":"b","parent":null,"section":"B"}"#,
    #"{"op":"removeSection","section":"A"},{"op":"insertSection","section":"A"}"#,
    #"{"op":"insertSection","section":"C"},{"op":"insert","key":"y","section":"C"}"#,
    ##"{"op":"sort","by":[{"by":"#key","direction":"descending"}]}"##,
  ]

  private static let options = [
    "", #","expansion":"none""#, #","expansion":1"#, #","order":"breadthFirst""#,
    ##","viewSort":[{"by":"#key"}]"##, ##","filter":{"by":"#key","above":""}"##,
  ]

  @Test(arguments: changes, options)
  func `it shows the rows of one that did not sleep`(change: String, options: String) throws {
    let store = try store()
    let twins = try (0..<2).map { _ in
      try StoreUnderTest(#"{"tree":"t"\#(options)}"#, in: store)
    }
    for twin in twins {
      try twin.apply(
        #"{"op":"toggle","key":"b"}"#,
        #"{"op":"select","keys":["a","c"]}"#,
        #"{"op":"collapseSection","section":"B"}"#
      )
    }
    clock.now += 11
    _ = try twins[0].rows()
    store.runMaintenance()
    #expect(try awake(store) == 1)
    let id = try #require(TreeID(validating: "t".utf8))
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(change)]}"#.utf8))
    _ = try store.apply(batch, to: id, BatchOptions())
    let pictures = try twins.map { twin in
      (try twin.rows(), try twin.state(), try twin.revision())
    }
    #expect(pictures[0] == pictures[1])
    #expect(
      try manager(store) { $0.asleep.toggled.nodes + $0.asleep.present.nodes }.allSatisfy {
        $0 == .forestRoot
      }
    )
  }

  @Test func `changes from before it woke are refused, and later ones are listed`() throws {
    let store = try store()
    let writer = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    try session.apply(#"{"op":"collapse","key":"a"}"#)
    wait(store)
    let none = try store.changes(of: session.id, ChangesQuery(since: Revision(1)))
    #expect(none.revision == Revision(1) && StoreUnderTest.json(none).contains(#""changes":[]"#))
    wait(store)
    try writer.apply(#"{"op":"insert","key":"e"}"#)
    for since: UInt64 in 0...1 {
      let error = refusal { () throws(ServiceError) in
        _ = try store.changes(of: session.id, ChangesQuery(since: Revision(since)))
      }
      #expect(error?.code == .historyExpired && error?.revision == Revision(2))
    }
    try writer.apply(#"{"op":"insert","key":"f"}"#)
    let list = try store.changes(of: session.id, ChangesQuery(since: Revision(2)))
    #expect(StoreUnderTest.json(list).contains(#""key":"f""#))
    #expect(!StoreUnderTest.json(list).contains(#""key":"e""#))
  }

  @Test func `a retry gets the same answer after a sleep`() throws {
    let store = try store()
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    var options = BatchOptions()
    options.idempotency = IdempotencyKey(token: Array("k".utf8), fingerprint: 1)
    let first = try session.apply(#"{"op":"insert","key":"e"}"#, options: options)
    wait(store)
    #expect(try awake(store) == 0)
    let again = try session.apply(#"{"op":"insert","key":"e"}"#, options: options)
    #expect(again.wasReplayed && again.revision == first.revision)
  }

  // MARK: Its end

  @Test func `it ends by deletion, with its tree, and by expiry`() throws {
    let store = try store()
    let sessions = try (0..<3).map { number in
      let session = try StoreUnderTest(
        #"{"tree":"t","idleTimeoutSeconds":\#(number == 1 ? 20 : 0)}"#,
        in: store
      )
      try session.apply(#"{"op":"select","key":"a"}"#)
      return session
    }
    wait(store)
    #expect(try awake(store) == 0)
    try store.deleteSession(sessions[0].id)
    wait(store)
    #expect(try manager(store) { $0.asleep.sessions.count } == 1)
    #expect(
      refusal { () throws(ServiceError) in try _ = sessions[1].rows() }?.code == .sessionExpired
    )
    let id = try #require(TreeID(validating: "t".utf8))
    try store.deleteTree(id)
    #expect(
      refusal { () throws(ServiceError) in try _ = sessions[2].rows() }?.code == .sessionNotFound
    )
    #expect(store.statistics.sessions == 0)
  }

  // MARK: Storage

  @Test func `a sleep writes nothing, and the sessions are there after a restart`() throws {
    let storage = MemoryStorage()
    let store = try store(over: storage)
    let sessions = try (0..<3).map { _ in try StoreUnderTest(#"{"tree":"t"}"#, in: store) }
    for session in sessions { try session.apply(#"{"op":"collapse","key":"a"}"#) }
    let pictures = try sessions.map { try store.picture(of: $0.id) }
    let entries = storage.entries(of: TreeNumber(1), after: 0, bytes: .max).count
    wait(store)
    #expect(try awake(store) == 0)
    #expect(store.statistics.loadedSessions == 0, "storage knows where to look for them")
    #expect(try sessions.map { try store.picture(of: $0.id) } == pictures)
    #expect(storage.entries(of: TreeNumber(1), after: 0, bytes: .max).count == entries)
    wait(store)
    let anew = try makeStore(awake: 0, over: storage)
    #expect(try sessions.map { try anew.picture(of: $0.id) } == pictures)
  }

  @Test func `sessions asleep in a snapshot are asleep after it is read`() throws {
    let storage = MemoryStorage()
    var limits = limits()
    // The number of entries plus that of the sessions that fall asleep.
    (limits.snapshotEntries, limits.snapshotWork) = (10, .seconds(86_400))
    clock.now = 1_000
    let store = try SessionStore(limits: limits, storage: storage) { [clock] in clock.now }
    try store.make("t", #""nodes":[{"key":"a","children":[{"key":"b"}]}]"#)
    let sessions = try (0..<3).map { _ in try StoreUnderTest(#"{"tree":"t"}"#, in: store) }
    for session in sessions { try session.apply(#"{"op":"collapse","key":"a"}"#) }
    let pictures = try sessions.map { try store.picture(of: $0.id) }
    #expect(storage.snapshot(of: TreeNumber(1)) == nil)
    wait(store)
    #expect(try awake(store) == 0)
    #expect(storage.snapshot(of: TreeNumber(1)) != nil)
    let anew = try makeStore(awake: 0, over: storage)
    #expect(try awake(anew) == 0)
    #expect(try sessions.map { try anew.picture(of: $0.id) } == pictures)
  }
}

extension StoreUnderTest {
  /// Returns the toggled and selected keys and the collapsed sections.
  fileprivate func state() throws -> String {
    let state = try store.state(of: id, expectedRevision: nil)
    return [state.toggledKeys, state.selectedKeys, state.collapsedSections].map { keys in
      keys.map { String(decoding: state[$0], as: UTF8.self) }.joined(separator: ",")
    }.joined(separator: ";")
  }
}
