import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeEngine
import TreeStorage

@testable import TreeSessions

/// The entry of a batch is written while its answer is encoded.
struct AnnouncedChangeTests {
  /// Asks a follower for an event on the thread that writes.
  private final class Listener: Sendable {
    let follower = Mutex<Follower?>(nil)
    /// For each commit, true if the follower had an event before it was written.
    let wasTold = Mutex<[Bool]>([])

    func listen() {
      let event = follower.withLock { $0?.next() }
      wasTold.withLock { $0.append(event != nil) }
    }
  }

  private static let insert = #"{"op":"insert","key":"b"}"#

  @Test func `an entry is written before any follower learns of the change`() throws {
    let listener = Listener()
    let store = try SessionStore(
      storage: MemoryStorage(),
      clock: { 1_000 },
      commit: { work in
        work()
        listener.listen()
      }
    )
    try store.make("t", #""nodes":[{"key":"a"}]"#)
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    let follower = try store.follow(session.id, since: nil, BatchOptions()) {}
    listener.follower.withLock { $0 = follower as? Follower }
    listener.wasTold.withLock { $0 = [] }
    let answer = try session.apply(Self.insert)
    #expect(listener.wasTold.withLock { $0 } == [false])
    #expect(answer.durability.isResolved && answer.durability.loss == nil)
    guard case .changes(let told)? = follower.next() else {
      Issue.record("the follower was not told")
      return
    }
    #expect(told.changes == answer.changes)
  }

  @Test func `a change that is lost while its answer is encoded has no effect`() throws {
    let storage = MemoryStorage()
    let store = try SessionStore(storage: storage, clock: { 1_000 })
    try store.make("t", #""nodes":[{"key":"a"}]"#)
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    let follower = try store.follow(session.id, since: nil, BatchOptions()) {}
    let before = try session.rows()
    storage.fail(.full("no room"))
    #expect(try session.apply(Self.insert).durability.loss?.code == .storageFull)
    #expect(try session.rows() == before)
    // The lost revision is not given out again.
    #expect(try store.session(session.id, expectedRevision: nil).revision == Revision(1_000))
    #expect(follower.next() == .interrupted)
  }

  @Test func `changes that cancel out and dry runs are not written`() throws {
    let storage = MemoryStorage()
    let store = try SessionStore(storage: storage, clock: { 1_000 })
    try store.make("t", #""nodes":[{"key":"a"}]"#)
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    storage.fail(.full("no room"))
    let nothing = try session.apply("\(Self.insert),\(#"{"op":"remove","key":"b"}"#)")
    #expect(nothing.revision == nothing.previousRevision && nothing.durability.isResolved)
    var question = BatchOptions()
    question.isDryRun = true
    #expect(try session.apply(Self.insert, options: question).durability.loss == nil)
    storage.fail(nil)
    #expect(try session.apply(Self.insert).durability.loss == nil)
    let anew = try SessionStore(storage: storage, clock: { 1_000 })
    #expect(try anew.picture(of: session.id) == store.picture(of: session.id))
  }
}
