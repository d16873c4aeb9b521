import JSON
import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// A filter or order that was applied to a copy is set on a tree that others have changed.
@Suite struct `A filter or order beside small writes` {
  private let slot = HeldSlot()
  private let store: SessionStore
  private let shared: SharedStore
  private let session: StoreUnderTest
  private static let nodeCount = 3_000

  /// Makes a tree of nodes with values from 0 to 9.
  init() throws { try self.init(maxChanges: 10_000) }

  /// Makes a tree with some sections, or without sections.
  private init(maxChanges: Int, sections: Int = 0) throws {
    let workers = Workers(slot)
    var limits = SessionLimits()
    limits.maxSmallNodes = 100
    limits.maxChanges = maxChanges
    store = SessionStore(limits: limits, schedule: workers.schedule)
    let nodes = (0..<Self.nodeCount).map { number in
      let section = sections == 0 ? "" : #","section":"\#(number % sections)""#
      let below = #","children":[{"key":"c\#(number)","children":[{"key":"d\#(number)"}]}]"#
      let children = number % 10 == 2 ? below : ""
      return #"{"key":"n\#(number)","object":{"v":\#(number % 10)}\#(section)\#(children)}"#
    }
    let names = (0..<sections).map { #""\#($0)""# }.joined(separator: ",")
    let body = #"{"sections":[\#(names)],"nodes":[\#(nodes.joined(separator: ","))]}"#
    let made = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
    shared = SharedStore(store: store, tree: made.description.tree)
    session = try shared.session("")
  }

  private static let patches = [
    #"{"filter":{"by":"/v","equals":7}}"#,
    #"{"filter":{"by":"/v","above":3},"order":"breadthFirst"}"#,
    #"{"viewSort":[{"by":"/v","direction":"descending"}]}"#,
    ##"{"viewSort":[{"by":"/v"},{"by":"#key"}],"filter":{"by":"/v","above":3}}"##,
    ##"{"viewSort":[{"by":"#key"}],"filter":{"by":"/v","above":3},"order":"breadthFirst"}"##,
    #"{"order":"breadthFirst"}"#,
    ##"{"viewSort":[{"by":"/v"},{"by":"#key"}],"order":"breadthFirst"}"##,
    #"{"expansion":1,"filter":{"by":"/v","equals":7}}"#,
    #"{"expansion":1,"order":"breadthFirst","selection":"multiple"}"#,
    #"{"expansion":"none","viewSort":[{"by":"/v","direction":"descending"}]}"#,
  ]

  /// Writes of other clients, each in a batch of its own.
  private static let writes = [
    #"{"op":"insert","key":"late","parent":"n0","object":{"v":7}}"#,
    #"{"op":"insert","key":"none","object":{"v":0}}"#,
    #"{"op":"update","key":"n7","object":{"v":0}}"#,
    #"{"op":"update","key":"n20","object":{"v":7}}"#,
    #"{"op":"remove","key":"n17"}"#,
    #"{"op":"move","keys":["n27","n28"],"parent":"n40"}"#,
    #"{"op":"move","keys":["n37"],"first":true}"#,
    #"{"op":"setChildren","key":"n50","children":[{"key":"n57"},{"key":"x","object":{"v":7}}]}"#,
  ]

  private func write(_ operation: String) throws {
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
    _ = try store.nonblocking.apply(batch, to: shared.tree, BatchOptions())
  }

  /// Makes a call on a worker, and writes to the tree while it is prepared on a copy.
  ///
  /// - Returns: The answer, and true if a part of the work was done under the lock of the tree.
  private func ask<Answer: Sendable>(
    beside writes: [String],
    _ ask: @escaping AskedCall<Answer>.Call
  ) throws -> (answer: Answer, wasLocked: Bool) {
    let tree = try store.find(shared.tree)
    slot.hold()
    let call = AskedCall(store, ask)
    slot.waitUntilHeld()
    for operation in writes { try write(operation) }
    // A large write under the lock first publishes a copy for small reads.
    let flag = Flag()
    slot.hold {
      if tree.copies.published != nil { flag.raise() }
      return false
    }
    slot.goOn()
    return (try call.get(), flag.isRaised)
  }

  /// Sets filter and orders of the session.
  private func patch(
    _ body: String,
    beside writes: [String]
  ) throws -> (answer: PatchAnswer, wasLocked: Bool) {
    let patch = try SessionPatch.decode(body: Array(body.utf8))
    return try ask(beside: writes) { [id = session.id] service throws(ServiceError) in
      try service.patchSession(id, patch, BatchOptions())
    }
  }

  /// Creates a session.
  private func open(
    _ body: String,
    beside writes: [String]
  ) throws -> (answer: Created<SessionDescription>, wasLocked: Bool) {
    var new = try NewSession.decode(body: Array(body.utf8))
    new.tree = shared.tree
    return try ask(beside: writes) { [new] service throws(ServiceError) in
      try service.createSession(new, nil)
    }
  }

  @Test(arguments: [(10_000, 0), (100, 0), (10_000, 2), (100, 3)], 0..<10)
  func `follows their changes without a large write under the lock`(
    tree: (maxChanges: Int, sections: Int),
    patch number: Int
  ) throws {
    let test = try Self(maxChanges: tree.maxChanges, sections: tree.sections)
    let body = Self.patches[number]
    let (answer, wasLocked) = try test.patch(body, beside: Self.writes)
    #expect(!wasLocked)
    #expect(answer.description.treeRevision == Revision(UInt64(Self.writes.count)))
    try test.expectRows(of: test.session, options: body, answer.description)
  }

  @Test(arguments: [0, 2], 0..<10)
  func `is that of a new session without a large write under the lock`(
    sections: Int,
    patch number: Int
  ) throws {
    let test = try Self(maxChanges: 10_000, sections: sections)
    let body = Self.patches[number]
    let (answer, wasLocked) = try test.open(body, beside: Self.writes)
    #expect(!wasLocked)
    let description = answer.description
    #expect(description.treeRevision == Revision(UInt64(Self.writes.count)))
    #expect(description.revision == Revision(0))
    let opened = StoreUnderTest(description.session, in: test.store)
    try test.expectRows(of: opened, options: body, description)
  }

  /// The rows have no other change than that of the expansion.
  @Test(arguments: [(10_000, 0), (100, 0), (10_000, 2), (100, 2)], ["", views[0], views[1]])
  func `comes with an expansion that is followed, too`(
    tree: (maxChanges: Int, sections: Int),
    view: String
  ) throws {
    let test = try Self(maxChanges: tree.maxChanges, sections: tree.sections)
    let session = try test.shared.session(view)
    for rule in [#""none""#, "1", #""all""#, "2"] {
      let patch = try SessionPatch.decode(body: Array(#"{"expansion":\#(rule)}"#.utf8))
      let write = #"{"op":"update","key":"n\#(rule.utf8.count)","object":{"v":7}}"#
      let (answer, wasLocked) = try test.ask(beside: [write]) { service throws(ServiceError) in
        try service.patchSession(session.id, patch, BatchOptions())
      }
      #expect(!wasLocked)
      let members = #""expansion":\#(rule)"# + (view.isEmpty ? "" : "," + view)
      let fresh = try test.shared.session(members)
      #expect(try session.rows() == fresh.rows())
      #expect(try answer.list.rowCount == fresh.keys().count)
      #expect(try answer.description.revision == Revision(session.revision()))
    }
    try test.store.find(test.shared.tree).withTree(.blocking) {
      $0.content.tree.checkInvariants()
    }
  }

  /// Orders without a filter.
  static let views = [
    #""order":"breadthFirst""#, #""viewSort":[{"by":"/v","direction":"descending"}]"#,
  ]

  @Test(arguments: 0..<7)
  func `is that of a new session which was made beside the tree`(patch number: Int) throws {
    let (answer, wasLocked) = try open(Self.patches[number], beside: [])
    #expect(!wasLocked)
    let opened = StoreUnderTest(answer.description.session, in: store)
    try expectRows(of: opened, options: Self.patches[number], answer.description)
    _ = try store.deleteSession(opened.id)
    let usage = try store.find(shared.tree).withTree(.blocking) {
      ($0.content.account.counted, $0.held)
    }
    #expect(usage.0.bytes == usage.1.bytes)
  }

  /// The state of a session may limit what is shown under the filter, or toggle nodes without it.
  @Test func `is that of a new session with the state of another one`() throws {
    try write(#"{"op":"insert","key":"below","parent":"n3","object":{"v":7}}"#)
    let filter = #""filter":{"by":"/v","equals":7}"#
    let source = try shared.session(#""selection":"multiple",\#(filter)"#)
    for operation in ["", #"{"op":"collapse","key":"n3"}"#, #"{"op":"select","keys":["n7"]}"#] {
      if !operation.isEmpty { try source.apply(operation) }
      let state = try store.state(of: source.id, expectedRevision: nil)
      let text = String(decoding: JSONWriter.text { state.write(to: &$0) }, as: UTF8.self)
      let (answer, _) = try open(
        #"{"state":\#(text)}"#,
        beside: [#"{"op":"update","key":"n20","object":{"v":7}}"#]
      )
      let opened = StoreUnderTest(answer.description.session, in: store)
      #expect(try opened.rows() == source.rows())
      #expect(answer.description.selectedCount == state.selectedKeys.count)
      #expect(try answer.description.rowCount == source.keys().count)
    }
    try store.find(shared.tree).withTree(.blocking) { $0.content.tree.checkInvariants() }
  }

  @Test func `is refused if an expanded node is unknown`() throws {
    var new = try NewSession.decode(
      body: Array(#"{"filter":{"by":"/v","equals":7},"expandedKeys":["nowhere"]}"#.utf8)
    )
    new.tree = shared.tree
    let refused = refusal { [new] () throws(ServiceError) in
      _ = try AskedCall(store) { service throws(ServiceError) in
        try service.createSession(new, nil)
      }.get()
    }
    #expect(refused?.code == .nodeNotFound)
    let sessions = try store.find(shared.tree).withTree(.blocking) { $0.sessions.count }
    #expect(sessions == 1)
  }

  /// Expects that a session has the rows of its options, and follows later changes.
  private func expectRows(
    of session: StoreUnderTest,
    options body: String,
    _ description: SessionDescription
  ) throws {
    // A new session with the same filter has the same rows.
    let fresh = try shared.session(String(body.dropFirst().dropLast()))
    let rows = try session.rows()
    #expect(try rows == fresh.rows() && description.rowCount == fresh.keys().count)
    try store.find(shared.tree).withTree(.blocking) { $0.content.tree.checkInvariants() }
    // Its change lists are complete.
    try write(#"{"op":"update","key":"n7","object":{"v":7}}"#)
    try write(#"{"op":"remove","key":"n0"}"#)
    #expect(try session.rows() == fresh.rows())
    for since in 0...(try session.revision()) {
      let query = ChangesQuery(since: Revision(since), options: BatchOptions())
      let list = try store.changes(of: session.id, query)
      #expect(try list.rowCount == session.keys().count)
    }
  }

  /// A flag that one thread sets and another one reads.
  private final class Flag: Sendable {
    private let value = Atomic(false)

    func raise() { value.store(true, ordering: .relaxed) }

    var isRaised: Bool { value.load(ordering: .relaxed) }
  }
}
