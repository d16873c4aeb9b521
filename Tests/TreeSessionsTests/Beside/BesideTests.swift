import Dispatch
import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// Large reads and writes do not delay others.
@Suite struct `Beside large work` {
  private let slot = HeldSlot()
  private let store: SessionStore
  private let shared: SharedStore
  private let session: StoreUnderTest
  private static let nodeCount = 3_000

  init() throws {
    let workers = Workers(slot)
    var limits = SessionLimits()
    limits.maxSmallNodes = 100
    store = SessionStore(limits: limits, schedule: workers.schedule)
    let nodes = (0..<Self.nodeCount).map { #"{"key":"n\#($0)","object":{"v":0}}"# }
    let body = #"{"nodes":[\#(nodes.joined(separator: ","))]}"#
    let made = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
    shared = SharedStore(store: store, tree: made.description.tree)
    session = try shared.session("")
  }

  /// Returns a batch that gives all nodes a value.
  private func setAll(_ value: Int) throws -> Batch {
    let updates = (0..<Self.nodeCount).map {
      #"{"op":"update","key":"n\#($0)","object":{"v":\#(value)}}"#
    }
    let body = #"{"operations":[\#(updates.joined(separator: ","))]}"#
    return try Batch.decode(body: Array(body.utf8))
  }

  private func apply(_ batch: Batch) -> AskedCall<BatchAnswer> {
    AskedCall(store) { [id = session.id] service throws(ServiceError) in
      try service.apply(batch, to: id, BatchOptions())
    }
  }

  /// Returns the revision and the first rows, as an event loop reads them.
  private func page() throws(ServiceError) -> String {
    let page = try store.nonblocking.rows(of: session.id, RowQuery(.offset(0, limit: 2)))
    return "\(page.revision.number) " + String(decoding: page.rows, as: UTF8.self)
  }

  private func insert(_ key: String) throws -> Revision {
    let body = #"{"operations":[{"op":"insert","key":"\#(key)"}]}"#
    let batch = try Batch.decode(body: Array(body.utf8))
    return try store.nonblocking.apply(batch, to: session.id, BatchOptions()).revision
  }

  @Test func `a write that looks small and takes long is made on a copy`() throws {
    var limits = SessionLimits()
    limits.maxSmallNodes = 1_000_000
    limits.maxSmallBytes = 1_000_000
    let store = SessionStore(limits: limits, schedule: Workers(slot).schedule)
    let session = try StoreUnderTest("{}", in: store)
    let inserts = (0..<Self.nodeCount).map { #"{"op":"insert","key":"n\#($0)"}"# }
    let body = #"{"operations":[\#(inserts.joined(separator: ","))]}"#
    let batch = try Batch.decode(body: Array(body.utf8))
    let ticks = Mutex(0)
    let clock: @Sendable () -> Int = {
      ticks.withLock { ticks in
        ticks += Attempt.maxNanoseconds
        return ticks
      }
    }
    slot.hold()
    let write = AskedCall(store, clock: clock) { [id = session.id] service throws(ServiceError) in
      try service.apply(batch, to: id, BatchOptions())
    }
    slot.waitUntilHeld()
    let empty = try store.nonblocking.rows(of: session.id, RowQuery(.offset(0, limit: 2)))
    #expect(empty.revision == Revision(0))
    slot.goOn()
    #expect(try write.get().rowCount == Self.nodeCount)
  }

  @Test func `small reads and writes do not wait for a large write`() throws {
    let before = try page()
    let batch = try setAll(1)
    let tree = try store.find(shared.tree)
    slot.hold()
    let write = apply(batch)
    slot.waitUntilHeld()
    // The write works on a copy.
    #expect(try page() == before)
    #expect(try insert("small") == Revision(1))
    let between = try page()
    #expect(between.hasPrefix("1 ") && !write.isAnswered)
    slot.hold { tree.copies.published != nil }
    slot.goOn()
    // The tree has changed meanwhile, so the write now works on the tree.
    slot.waitUntilHeld()
    #expect(try page() == between)
    let tried = store.trial { service throws(ServiceError) in
      _ = try service.deleteSession(session.id, nil, nil)
    }
    #expect(tried?.next != nil)
    slot.goOn()
    #expect(try write.get().revision == Revision(2))
    let after = try page()
    #expect(after.hasPrefix("2 ") && after.contains(#"{"v":1}"#))
    let all = try session.rows()
    #expect(all.split(separator: #"{"v":1}"#).count == Self.nodeCount + 1)
  }

  /// Makes a call while the lock is held, so that it continues on a worker when the lock is free.
  private func find<Answer>(busy tree: LockedTree, _ call: () throws -> Answer) rethrows -> Answer {
    let (isLocked, mayUnlock) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue.global().async {
      try? tree.withTree(.blocking) { _ in
        isLocked.signal()
        mayUnlock.wait()
      }
    }
    isLocked.wait()
    slot.hold()
    let answer = try call()
    slot.waitUntilHeld()
    mayUnlock.signal()
    slot.goOn()
    return answer
  }

  @Test func `small calls that find the tree busy do not wait for a large write`() throws {
    let tree = try store.find(shared.tree)
    let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    tree.executor.add { _ in
      hasBegun.signal()
      mayEnd.wait()
    }
    defer { mayEnd.signal() }
    hasBegun.wait()
    let text = #"{"operations":[{"op":"insert","key":"small"}]}"#
    let batch = try Batch.decode(body: Array(text.utf8))
    let write = find(busy: tree) {
      AskedCall(store) { [id = session.id] service throws(ServiceError) in
        try service.apply(batch, to: id, BatchOptions())
      }
    }
    #expect(try write.get().revision == Revision(1))
    let page = find(busy: tree) {
      AskedCall(store) { [id = session.id] service throws(ServiceError) in
        try service.rows(of: id, RowQuery(.offset(0, limit: 2)))
      }
    }
    #expect(try page.get().revision == Revision(1))
    let told = DispatchSemaphore(value: 0)
    let follower = try find(busy: tree) {
      try store.nonblocking.follow(session.id, since: Revision(0), BatchOptions()) {
        told.signal()
      }
    }
    told.wait()
    follower.cancel()
  }

  @Test func `a prepared write is installed if the tree has not changed`() throws {
    let batch = try setAll(7)
    let follower = try store.follow(session.id, since: nil, BatchOptions()) {}
    slot.hold()
    let write = apply(batch)
    slot.waitUntilHeld()
    let before = try page()
    slot.goOn()
    let answer = try write.get()
    #expect(answer.previousRevision == Revision(0) && answer.revision == Revision(1))
    #expect(before.hasPrefix("0 "))
    #expect(try page().hasPrefix("1 "))
    guard case .changes(let told)? = follower.next() else {
      Issue.record("the follower is told nothing")
      return
    }
    #expect(told.revision == Revision(1))
    let counted = try store.find(shared.tree).withTree(.blocking) { tree in
      tree.content.tree.checkInvariants()
      return tree.content.account.usage.nodes
    }
    #expect(counted == Self.nodeCount)
    follower.cancel()
  }

  @Test func `small reads do not wait for the commit of a prepared write`() throws {
    let before = try page()
    let tree = try store.find(shared.tree)
    slot.hold()
    let write = apply(try setAll(7))
    slot.waitUntilHeld()
    slot.hold { tree.copies.published != nil }
    slot.goOn()
    slot.waitUntilHeld()
    #expect(try page() == before)
    slot.goOn()
    #expect(try write.get().revision == Revision(1))
    #expect(try page().hasPrefix("1 "))
  }

  @Test func `small reads do not wait for a compaction`() throws {
    var limits = SessionLimits()
    limits.maxSmallNodes = 100
    limits.history.commits = 0
    let store = SessionStore(limits: limits, schedule: Workers(slot).schedule)
    let nodes = (0..<Self.nodeCount).map { #"{"key":"n\#($0)"}"# }.joined(separator: ",")
    let body = Array(#"{"nodes":[\#(nodes)]}"#.utf8)
    let made = try store.createTree(NewTree.decode(body: body), nil)
    let shared = SharedStore(store: store, tree: made.description.tree)
    let session = try shared.session("")
    let tree = try store.find(shared.tree)
    slot.hold { tree.copies.published != nil }
    let keys = (500..<Self.nodeCount).map { "\"n\($0)\"" }.joined(separator: ",")
    try shared.apply(#"{"op":"remove","keys":[\#(keys)]}"#)
    slot.waitUntilHeld()
    let page = try store.nonblocking.rows(of: session.id, RowQuery(.offset(0, limit: 2)))
    #expect(page.rowCount == 500)
    slot.goOn()
    let isDone = try tree.withTree(.blocking) { !$0.wantsCompaction }
    #expect(isDone)
  }

  @Test func `a search sees one revision, and writes do not wait for it`() throws {
    let query = Self.search()
    slot.hold()
    let search = AskedCall(store) { [id = session.id] service throws(ServiceError) in
      try service.search(in: id, query)
    }
    slot.waitUntilHeld()
    #expect(try insert("late") == Revision(1))
    slot.goOn()
    let result = try search.get()
    #expect(result.revision == Revision(0) && result.total == Self.nodeCount)
    slot.hold()
    let again = AskedCall(store) { [id = session.id] service throws(ServiceError) in
      try service.search(in: id, query)
    }
    slot.waitUntilHeld()
    again.cancel()
    slot.goOn()
    #expect(throws: ServiceError.self) { try again.get() }
  }

  private static func search() -> SearchQuery {
    SearchQuery(Search(Array("n".utf8)), limit: 1, isCounting: true)
  }

  @Test func `a dry run of a large change changes nothing`() throws {
    var options = BatchOptions()
    options.isDryRun = true
    let batch = try setAll(1)
    let before = try page()
    slot.hold()
    let trial = AskedCall(store) { [id = session.id, options] service throws(ServiceError) in
      try service.apply(batch, to: id, options)
    }
    slot.waitUntilHeld()
    #expect(try page() == before)
    slot.goOn()
    #expect(try trial.get().revision == Revision(1))
    #expect(try page() == before)
  }
}
