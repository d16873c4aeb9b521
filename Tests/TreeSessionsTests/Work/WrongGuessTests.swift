import Dispatch
import Synchronization
import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Checks large work that was estimated as small: the meter stops it, and a worker repeats it.
@Suite struct `Large work estimated as small` {
  /// A tree with a session, in a store whose limits make all work small.
  private struct Bench {
    let store: SessionStore
    let shared: SharedStore
    let session: StoreUnderTest

    init() throws {
      var limits = SessionLimits()
      limits.maxSmallNodes = 1 << 40
      limits.maxSmallBytes = 1 << 40
      let workers = Workers()
      store = SessionStore(limits: limits, schedule: workers.schedule)
      let nodes = (0..<40).map { parent in
        let children = (0..<60).map { number in
          #"{"key":"n\#(parent)_\#(number)","object":{"v":\#(number * 31 % 60)}}"#
        }
        return #"{"key":"p\#(parent)","children":[\#(children.joined(separator: ","))]}"#
      }
      let body = #"{"nodes":[{"key":"top","children":[\#(nodes.joined(separator: ","))]}]}"#
      let made = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
      shared = SharedStore(store: store, tree: made.description.tree)
      session = try shared.session(#""selection":"multiple""#)
      // These sessions get changes, too.
      for filter in 0..<3 { _ = try shared.session(#""filter":{"by":"/v","above":\#(filter)}"#) }
    }

    /// Returns everything that the session shows.
    func picture() throws -> String {
      let state = try store.state(of: session.id, expectedRevision: nil)
      let keys = (state.toggledKeys + state.selectedKeys).map { Array(state[$0]) }
      return "\(try session.rows()) \(state.revision) \(keys)"
    }
  }

  static let operations = [
    #"{"op":"sort","by":[{"by":"/v"}]}"#, #"{"op":"remove","key":"top"}"#,
    #"{"op":"remove","keys":["p1","p2","p3","p4","p5","p6","p7","p8","p9"]}"#,
    #"{"op":"collapseAll"}"#, #"{"op":"select","subtree":"top"}"#,
    #"{"op":"collapse","key":"top","levels":"all"}"#,
    #"{"op":"setChildren","key":"top","children":[{"key":"p7"},{"key":"p3"},{"key":"new"}]}"#,
    #"{"op":"setChildren","key":null,"children":[{"key":"other"}]}"#,
    #"{"op":"setChildren","key":"top","children":"unloaded"}"#,
  ]

  private static let patches = [
    #"{"filter":{"by":"/v","above":30}}"#, #"{"order":"breadthFirst"}"#, #"{"expansion":1}"#,
  ]

  /// Returns an attempt for which each check takes the whole permitted time.
  private func hurried() -> Attempt {
    let time = Mutex(0)
    return Attempt {
      time.withLock { time in
        time += Attempt.maxNanoseconds
        return time
      }
    }
  }

  /// Tries a call with such an attempt, and repeats it on a worker.
  private func done<Answer: Sendable>(
    _ bench: Bench,
    _ call: @escaping @Sendable (any TreeService) throws(ServiceError) -> Answer
  ) throws -> Answer {
    let before = try bench.picture()
    let attempt = hurried()
    let refused = refusal { () throws(ServiceError) in
      _ = try call(bench.store.answering(attempt))
    }
    #expect(refused != nil && attempt.isRefused, "it was not stopped")
    #expect(try bench.picture() == before, "it has left something behind")
    let executor = try #require(attempt.next)
    let outcome = Mutex<Result<Answer, ServiceError>?>(nil)
    let isOver = DispatchSemaphore(value: 0)
    let job = Job { attempt in
      let result = Result { () throws(ServiceError) in try call(bench.store.answering(attempt)) }
      outcome.withLock { $0 = result }
      isOver.signal()
    }
    #expect(executor.submit(job))
    isOver.wait()
    return try #require(outcome.withLock { $0 }).get()
  }

  @Test(arguments: operations)
  func `an operation is undone, and repeated on a worker`(operation: String) throws {
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
    let (hurried, plain) = (try Bench(), try Bench())
    let answer = try done(hurried) { [id = hurried.session.id] service throws(ServiceError) in
      try service.apply(batch, to: id, BatchOptions())
    }
    let expected = try plain.store.apply(batch, to: plain.session.id, BatchOptions())
    #expect(answer.changes.count == expected.changes.count)
    #expect(answer.rowCount == expected.rowCount && answer.revision == expected.revision)
    #expect(try hurried.picture() == plain.picture())
  }

  @Test(arguments: patches)
  func `a patch is undone, and repeated on a worker`(body: String) throws {
    let patch = try SessionPatch.decode(body: Array(body.utf8))
    let (hurried, plain) = (try Bench(), try Bench())
    let answer = try done(hurried) { [id = hurried.session.id] service throws(ServiceError) in
      try service.patchSession(id, patch, BatchOptions())
    }
    let expected = try plain.store.patchSession(plain.session.id, patch, BatchOptions())
    #expect(answer.description.rowCount == expected.description.rowCount)
    #expect(try hurried.picture() == plain.picture())
  }
}
