import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

private typealias LaterAnswer = `The answer to a change that comes after others`

/// A prepared change whose answer was made before others were replayed beneath it.
@Suite final class `The answer to a change that comes after others`: Sendable {
  private let store: SessionStore
  private let tree: LockedTree
  private let session: StoreUnderTest
  private let other: StoreUnderTest
  private let calls = Mutex(Calls())
  private let slot = HeldSlot()

  private struct Calls {
    /// The number of times that the answer was made again without the lock, and under it.
    var unlocked = 0
    var locked = 0
    var writes = 0
  }

  private static let long = #"{"op":"select","subtree":"a"}"#

  init() throws {
    let workers = Workers(slot)
    var limits = SessionLimits()
    limits.maxSmallNodes = 100
    store = SessionStore(limits: limits, schedule: workers.schedule)
    let children = (0..<200).map { #"{"key":"a\#($0)"}"# }.joined(separator: ",")
    let nodes =
      #"[{"key":"b"},{"key":"c","children":[{"key":"d"}]},{"key":"a","children":[\#(children)]}]"#
    let made = try store.createTree(NewTree.decode(body: Array(#"{"nodes":\#(nodes)}"#.utf8)), nil)
    let shared = SharedStore(store: store, tree: made.description.tree)
    session = try shared.session(#""selection":"multiple""#)
    other = try shared.session("")
    try session.apply(#"{"op":"collapse","key":"c"}"#)
    tree = try store.find(shared.tree)
  }

  private func batch(_ operation: String) throws(ServiceError) -> Batch {
    try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
  }

  /// Makes a small change as the other session, unless the tree is locked.
  private func write(_ operation: (Int) -> String, upTo count: Int) throws(ServiceError) -> Bool {
    guard (try? tree.tryTree(Attempt(clock: { 0 })) { _ in true }) == true else { return false }
    let number = calls.withLock { $0.writes }
    guard number < count else { return true }
    _ = try store.nonblocking.apply(batch(operation(number)), to: other.id, BatchOptions())
    calls.withLock { $0.writes += 1 }
    return true
  }

  /// Makes the long change beside small ones: the first is made after the preparation, and the
  /// others each time that the answer was made again.
  private func makeLong(
    _ options: BatchOptions,
    _ long: String = LaterAnswer.long,
    beside operation: @escaping @Sendable (Int) -> String,
    count: Int
  ) throws -> BatchAnswer {
    let long = try batch(long)
    let call = AskedCall(store) { [id = session.id, self] service throws(ServiceError) in
      guard let mode = (service as? SessionStore)?.mode else { throw .sessionNotFound }
      let change = PreparedChange(
        entry: JournalEntry(.batch(long), of: id, at: 0, options),
        isLarge: { manager throws(ServiceError) in
          try manager.content.demand(nodes: 200)
          return true
        },
        make: { manager, announce throws(ServiceError) in
          let answer = try manager.apply(long, by: manager.session(id), options, at: 0, announce)
          _ = try self.write(operation, upTo: count)
          return answer
        },
        keep: { manager, answer in
          guard let session = manager.sessions[id] else { return }
          manager.keep(.success(SessionAnswer(answer)), of: session, for: options, at: 0)
        },
        rebasing: Rebasing(
          impact: { copy in ChangeImpact(of: long, by: copy.sessions[id], on: copy.content) },
          answer: { manager throws(ServiceError) in
            let answer = try manager.answerAgain(to: manager.session(id), options)
            let isUnlocked = try self.write(operation, upTo: count)
            self.calls.withLock {
              if isUnlocked { $0.unlocked += 1 } else { $0.locked += 1 }
            }
            return answer
          },
          update: { answer, changes, manager in
            manager.update(&answer, of: id, options, after: changes)
          }
        )
      )
      return try self.tree.change(mode, change)
    }
    let answer = try call.get()
    #expect(tree.executor.meter.rebases == 1)
    return answer
  }

  /// Expects the answer that the change gets in a twin after the small ones.
  private func expect(
    _ answer: BatchAnswer,
    _ options: BatchOptions,
    after operation: (Int) -> String
  ) throws {
    let twin = try LaterAnswer()
    for number in 0..<calls.withLock({ $0.writes }) {
      _ = try twin.store.apply(batch(operation(number)), to: twin.other.id, BatchOptions())
    }
    let expected = try twin.store.apply(batch(Self.long), to: twin.session.id, options)
    let texts = [(answer, session), (expected, twin.session)].map { answer, session in
      StoreUnderTest.json(answer)
        .replacing(String(decoding: session.id.bytes, as: UTF8.self), with: "s")
    }
    #expect(texts[0] == texts[1])
    #expect(try session.rows() == twin.session.rows())
  }

  /// The options of an answer as lists, as text, as ranges, without entries, and kept for retries.
  static let options: [BatchOptions] = {
    var written = BatchOptions()
    written.isWritten = true
    var kept = BatchOptions()
    kept.idempotency = IdempotencyKey(token: [120], fingerprint: 1)
    return [
      BatchOptions(), written, BatchOptions(format: .ranges), BatchOptions(format: .none), kept,
    ]
  }()

  @Test(arguments: options)
  func `keeps its entries when the others show nothing`(options: BatchOptions) throws {
    let hidden = { @Sendable (number: Int) in #"{"op":"insert","key":"w\#(number)","parent":"c"}"# }
    let answer = try makeLong(options, beside: hidden, count: 1)
    #expect(calls.withLock { $0.unlocked == 0 && $0.locked == 0 && $0.writes == 1 })
    try expect(answer, options, after: hidden)
  }

  @Test(arguments: options)
  func `is made again without the lock when the others move its rows`(options: BatchOptions) throws
  {
    let shown = { @Sendable (number: Int) in #"{"op":"insert","key":"w\#(number)","first":true}"# }
    let answer = try makeLong(options, beside: shown, count: 4)
    #expect(calls.withLock { $0.unlocked == 4 && $0.locked == 0 && $0.writes == 4 })
    try expect(answer, options, after: shown)
  }

  @Test func `is made under the lock after the last round`() throws {
    let shown = { @Sendable (number: Int) in #"{"op":"insert","key":"w\#(number)","first":true}"# }
    let answer = try makeLong(BatchOptions(), beside: shown, count: 1_000)
    #expect(calls.withLock { $0.unlocked == LockedTree.maxRounds && $0.locked == 1 })
    try expect(answer, BatchOptions(), after: shown)
  }

  // MARK: Events

  private static let selection = #"{"op":"select","subtree":"a"}"#
  private static let removal: String = {
    let keys = (0..<200).map { #""a\#($0)""# }.joined(separator: ",")
    return #"{"op":"remove","keys":[\#(keys)]}"#
  }()

  /// Follows both sessions.
  private func follow(_ options: BatchOptions) throws -> [any Following] {
    try [session, other].map { try store.follow($0.id, since: nil, options) {} }
  }

  /// Returns the text of all events, with the same names for the sessions of each tree.
  private func texts(_ followers: [any Following]) -> [[String]] {
    zip(followers, [session, other]).map { follower, session in
      var texts: [String] = []
      while case .changes(let answer) = follower.next() {
        let text = answer.text.map { String(decoding: $0, as: UTF8.self) }
        texts.append(
          (text ?? StoreUnderTest.json(answer))
            .replacing(String(decoding: session.id.bytes, as: UTF8.self), with: "s")
        )
      }
      return texts
    }
  }

  /// Makes the long change with followers, and expects the events that they get in a twin.
  private func expectEvents(
    _ options: BatchOptions,
    _ long: String,
    beside operation: @escaping @Sendable (Int) -> String,
    count: Int
  ) throws {
    let followers = try follow(options)
    _ = try makeLong(BatchOptions(), long, beside: operation, count: count)
    let twin = try LaterAnswer()
    let twins = try twin.follow(options)
    for number in 0..<calls.withLock({ $0.writes }) {
      _ = try twin.store.apply(batch(operation(number)), to: twin.other.id, BatchOptions())
    }
    _ = try twin.store.apply(batch(long), to: twin.session.id, BatchOptions())
    let (events, expected) = (texts(followers), twin.texts(twins))
    #expect(events == expected)
    #expect(events[0].count > count)
  }

  @Test(arguments: options.dropLast(), [selection, removal])
  func `tells followers what it tells alone, if the others show nothing`(
    options: BatchOptions,
    long: String
  ) throws {
    try expectEvents(
      options,
      long,
      beside: { #"{"op":"insert","key":"w\#($0)","parent":"c"}"# },
      count: 1
    )
  }

  @Test(arguments: options.dropLast(), [selection, removal])
  func `tells followers what it tells alone, if the others move its rows`(
    options: BatchOptions,
    long: String
  ) throws {
    try expectEvents(
      options,
      long,
      beside: { #"{"op":"insert","key":"w\#($0)","first":true}"# },
      count: 3
    )
  }

  @Test func `tells followers without work under the lock`() throws {
    let followers = try follow(BatchOptions())
    let checks = Atomic(0)
    slot.hold { [tree] in
      let isFree = (try? tree.tryTree(Attempt(clock: { 0 })) { _ in true }) == true
      if !isFree { checks.add(1, ordering: .relaxed) }
      return false
    }
    let hidden = { @Sendable (number: Int) in #"{"op":"insert","key":"w\#(number)","parent":"c"}"# }
    _ = try makeLong(BatchOptions(), beside: hidden, count: 1)
    #expect(texts(followers)[0].count == 2)
    // The commit begins with one.
    #expect(checks.load(ordering: .relaxed) == 1)
  }
}
