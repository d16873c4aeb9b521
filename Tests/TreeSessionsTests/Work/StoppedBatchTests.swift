import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// A batch that is stopped at any check leaves nothing behind, and can be done again.
@Suite struct `A batch that is stopped` {
  /// A control that stops work at its last check.
  private final class LastCheck: WorkControl {
    private let left: Atomic<Int>

    init(after checks: Int) { left = Atomic(checks) }

    func check() throws(ServiceError) {
      if left.subtract(1, ordering: .relaxed).newValue < 0 {
        throw ServiceError(.overloaded, "It is stopped.")
      }
    }
  }

  /// A shared tree in storage, with sessions of different options, one of which is followed.
  private struct Bench {
    let storage = MemoryStorage()
    let store: SessionStore
    let tree: TreeID
    let sessions: [StoreUnderTest]
    let follower: any Following

    init() throws {
      store = try SessionStore(storage: storage, clock: { 1_000 })
      let sort = #""sort":[{"by":"/v","compare":"number"}]"#
      let nodes = #""nodes":[{"key":"k0","children":[{"key":"k1"},{"key":"k2"}]},{"key":"k3"}]"#
      let body = "{" + sort + "," + nodes + "}"
      let made = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
      tree = made.description.tree
      let shared = SharedStore(store: store, tree: tree)
      sessions = try [
        #""selection":"multiple""#,
        #""filter":{"not":{"by":"/v","equals":3}},"selection":"multiple""#,
        #""order":"breadthFirst","accordion":true"#,
        #""expansion":"none","nestedExpansion":"forget""#,
      ].map { try shared.session($0) }
      let followed = sessions[0].id
      follower = try store.follow(followed, since: nil, BatchOptions()) {}
      try store.find(tree).withTree(.blocking) { $0.meter.interval = 1 }
    }

    /// Returns all that clients and storage can see.
    func picture() throws -> [String] {
      let entries = storage.entries(of: TreeNumber(1), after: 0, bytes: .max).count
      var lines = [
        "\(entries) entries", "\(try store.tree(tree, expectedRevision: nil).revision)",
      ]
      for session in sessions {
        let query = ChangesQuery(since: Revision(0), options: BatchOptions())
        let changes = Result { () throws(ServiceError) in
          StoreUnderTest.json(try store.changes(of: session.id, query))
        }
        let state = try store.state(of: session.id, expectedRevision: nil)
        let keys = (state.toggledKeys + state.selectedKeys).map { Array(state[$0]) }
        lines += [try session.rows(), "\(changes)", "\(state.revision) \(keys)"]
      }
      // Ids are random.
      return lines.map { line in
        sessions.enumerated().reduce(line) { line, session in
          let id = String(decoding: session.element.id.bytes, as: UTF8.self)
          return line.replacing(id, with: "session \(session.offset)")
        }.replacing(String(decoding: tree.bytes, as: UTF8.self), with: "tree")
      }
    }

    func apply(
      _ batch: Batch,
      by session: Int,
      key: Int,
      _ control: (any WorkControl)?
    ) -> Result<String, ServiceError> {
      Result { () throws(ServiceError) in
        var options = BatchOptions()
        options.idempotency = IdempotencyKey(token: Array("\(key)".utf8), fingerprint: 1)
        let face = SessionStore(store.core, .waiting(control))
        let answer = try face.apply(batch, to: sessions[session].id, options)
        #expect(!answer.wasReplayed)
        let id = String(decoding: sessions[session].id.bytes, as: UTF8.self)
        return StoreUnderTest.json(answer).replacing(id, with: "session")
      }
    }
  }

  /// Random operations, some of which are refused.
  private struct Load {
    var random: SeededGenerator

    mutating func below(_ count: Int) -> Int { random.number(in: 0...count - 1) }

    private mutating func key() -> String { "\"k\(below(16))\"" }

    private mutating func place() -> String {
      [#""index":0"#, #""first":true"#, #""sort":[{"by":"/v","compare":"number"}]"#]
        .randomElement(using: &random).map { "," + $0 } ?? ""
    }

    private mutating func operation() -> String {
      let (key, other) = (key(), key())
      let value = #"{"v":\#(below(9))}"#
      switch below(16) {
      case 0...4:
        let parent = below(3) == 0 ? "null" : other
        let rest = below(2) == 0 ? place() : ""
        return #"{"op":"insert","key":\#(key),"parent":\#(parent),"object":\#(value)\#(rest)}"#
      case 5: return #"{"op":"update","key":\#(key),"object":\#(value)}"#
      case 6: return #"{"op":"update","key":\#(key),"merge":\#(value)}"#
      case 7: return #"{"op":"remove","key":\#(key)}"#
      case 8: return #"{"op":"move","keys":[\#(key)],"parent":\#(other)\#(place())}"#
      case 9:
        let list = #"[{"key":\#(other),"object":\#(value)},{"key":"k\#(below(16))"}]"#
        return #"{"op":"setChildren","key":\#(key),"children":\#(list)}"#
      case 10: return #"{"op":"sort","by":[{"by":"/v","direction":"descending"}]}"#
      case 11: return #"{"op":"toggle","key":\#(key)}"#
      case 12: return #"{"op":"expand","key":\#(key),"levels":"all"}"#
      case 13: return #"{"op":"reveal","keys":[\#(key)]}"#
      case 14: return #"{"op":"select","subtree":\#(key)}"#
      default: return #"{"op":"collapseAll"}"#
      }
    }

    mutating func batch() throws -> Batch {
      let list = (0..<(1 + below(8))).map { _ in operation() }.joined(separator: ",")
      return try Batch.decode(body: Array(#"{"operations":[\#(list)]}"#.utf8))
    }
  }

  @Test(arguments: Seed.seeds(count: 10))
  func `changes nothing, and comes to the same when it is done again`(seed: UInt64) throws {
    var load = Load(random: SeededGenerator(seed: seed))
    let (stopped, plain) = (try Bench(), try Bench())
    var stops = 0
    for step in 0..<80 {
      let batch = try load.batch()
      let session = load.below(stopped.sessions.count)
      let before = try stopped.picture()
      let control = LastCheck(after: load.below(12))
      let outcome = stopped.apply(batch, by: session, key: step, control)
      let expected = plain.apply(batch, by: session, key: step, nil)
      if case .failure(let error) = outcome, error.detail == "It is stopped." {
        stops += 1
        #expect(try stopped.picture() == before, "SEED=\(seed) step \(step)")
        #expect(stopped.follower.next() == nil)
        let again = stopped.apply(batch, by: session, key: step, nil)
        #expect(again == expected, "SEED=\(seed) step \(step)")
      } else {
        #expect(outcome == expected, "SEED=\(seed) step \(step)")
      }
      #expect(try stopped.picture() == plain.picture(), "SEED=\(seed) step \(step)")
      while stopped.follower.next() != nil {}
      while plain.follower.next() != nil {}
    }
    #expect(stops > 0)
  }
}
