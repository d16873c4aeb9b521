import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// Checks that exactly the limit is accepted, and one more is refused.
struct LimitBorderTests {
  private static func insert(_ key: String) -> String { #"{"op":"insert","key":"\#(key)"}"# }

  @Test func `the number of shared trees is limited, and a deleted one makes room`() throws {
    var limits = SessionLimits()
    limits.maxTrees = 2
    let store = SessionStore(limits: limits)
    try store.make("a")
    let last = try store.make("b")
    for _ in 0..<2 {
      let refused = refusal { () throws(ServiceError) in _ = try store.createTree(NewTree(), nil) }
      #expect(refused?.code == .overloaded && refused?.limit == 2)
    }
    _ = try StoreUnderTest("{}", in: store)
    try store.deleteTree(last)
    try store.make("c")
  }

  /// Returns the events of two insertions, made while the follower did not read.
  private func events(maxQueuedBytes: Int?) throws -> [BatchAnswer] {
    var limits = SessionLimits()
    if let maxQueuedBytes { limits.maxQueuedEventBytes = maxQueuedBytes }
    let session = try StoreUnderTest("{}", limits: limits)
    let follower = try session.store.follow(session.id, since: nil, BatchOptions()) {}
    for key in ["a", "b"] { try session.apply(Self.insert(key)) }
    var answers: [BatchAnswer] = []
    while case .changes(let answer)? = follower.next() { answers.append(answer) }
    return answers
  }

  @Test func `queued events above the limit of bytes are sent as one event`() throws {
    let weight = try events(maxQueuedBytes: nil).reduce(0) { $0 + $1.weight }
    #expect(weight > 0)
    #expect(try events(maxQueuedBytes: weight).map(\.revision.number) == [1, 2])
    let missed = try events(maxQueuedBytes: weight - 1)
    #expect(missed.map(\.previousRevision.number) == [0] && missed.map(\.revision.number) == [2])
  }

  /// Returns the number of accepted changes while nothing is written, and the bytes that wait.
  private func changesTaken(maxUnwrittenBytes: Int) throws -> (count: Int, bytes: Int) {
    var limits = SessionLimits()
    limits.maxUnwrittenBytes = maxUnwrittenBytes
    let desk = Desk()
    let storage = MemoryStorage()
    let store = try SessionStore(
      limits: limits,
      storage: storage,
      clock: { 1_000 },
      commit: desk.assign
    )
    let session = try StoreUnderTest("{}", in: store)
    desk.work()
    var (count, bytes) = (0, 0)
    for key in ["a", "b", "c"] {
      let refused = refusal { () throws(ServiceError) in _ = try session.apply(Self.insert(key)) }
      guard refused == nil else {
        #expect(refused?.code == .overloaded)
        break
      }
      count += 1
      bytes = store.statistics.journal?.waitingBytes ?? 0
    }
    desk.work()
    try session.apply(Self.insert("later"))
    return (count, bytes)
  }

  @Test func `a change is accepted while no more unwritten bytes than the limit wait`() throws {
    let all = try changesTaken(maxUnwrittenBytes: 1_000_000)
    #expect(all.count == 3 && all.bytes > 0 && all.bytes.isMultiple(of: 3))
    let one = all.bytes / 3
    #expect(try changesTaken(maxUnwrittenBytes: one - 1).count == 1)
    #expect(try changesTaken(maxUnwrittenBytes: one).count == 2)
    #expect(try changesTaken(maxUnwrittenBytes: 2 * one - 1).count == 2)
  }
}
