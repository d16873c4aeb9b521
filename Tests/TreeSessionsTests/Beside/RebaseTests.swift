import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// A long change that was prepared on a copy comes after the small ones that were made meanwhile.
@Suite struct `A long change beside small ones` {
  private let slot = HeldSlot()
  private let store: SessionStore
  private let shared: SharedStore
  private let session: StoreUnderTest
  private let other: StoreUnderTest
  /// Sessions that only look.
  private let viewers: [StoreUnderTest]
  private static let nodeCount = 600

  init() throws { try self.init(as: #""selection":"multiple""#, viewing: []) }

  /// Makes a tree with sessions.
  ///
  /// - Parameters:
  ///   - author: The options of the session that makes long changes.
  ///   - views: The options of sessions that only look.
  init(as author: String, viewing views: [String]) throws {
    let workers = Workers(slot)
    var limits = SessionLimits()
    // More than the changes of the last folder count in several views, and less than a folder.
    limits.maxSmallNodes = 190
    store = SessionStore(limits: limits, schedule: workers.schedule)
    let nodes = (0..<Self.nodeCount).map { #"{"key":"n\#($0)","object":{"v":\#($0 % 10)}}"# }
    let folders = ["a", "b", "c"].map { folder in
      // Small changes concern the last folder.
      let count = folder == "c" ? 20 : 200
      let children = (0..<count).map { #"{"key":"\#(folder)\#($0)","object":{"v":\#($0 % 7)}}"# }
      return #"{"key":"\#(folder)","children":[\#(children.joined(separator: ","))]}"#
    }
    let all = (folders + nodes).joined(separator: ",")
    let made = try store.createTree(NewTree.decode(body: Array(#"{"nodes":[\#(all)]}"#.utf8)), nil)
    shared = SharedStore(store: store, tree: made.description.tree)
    session = try shared.session(author)
    other = try shared.session("")
    viewers = try views.map { [shared] in try shared.session($0) }
  }

  /// Changes that take long.
  static let long = [
    #"{"op":"remove","key":"a"}"#,
    #"{"op":"select","subtree":"a"}"#,
    #"{"op":"sort","key":"a","by":[{"by":"/v"}]}"#,
    #"{"op":"sort","by":[{"by":"/v","direction":"descending"}]}"#,
    #"{"op":"setChildren","key":"a","children":[{"key":"a5"},{"key":"new"},{"key":"a1"}]}"#,
    #"{"op":"collapse","key":"a"},{"op":"expand","key":"a"}"#,
    #"{"op":"move","keys":["a"],"parent":"b"}"#,
  ]

  /// Small changes that each of them can come after.
  private static let apart = [
    #"{"op":"update","key":"n3","object":{"v":3,"x":1}}"#,
    #"{"op":"update","key":"c0","object":{"v":0,"x":2}}"#,
  ]

  /// Small changes of the structure that those can come after which do not concern all nodes.
  private static let structural = [
    #"{"op":"insert","key":"late","parent":"c","index":3,"object":{"v":7}}"#,
    #"{"op":"remove","key":"c7"}"#,
    #"{"op":"insert","key":"later","parent":"c","children":[{"key":"below"}]}"#,
    #"{"op":"move","keys":["c17","c18"],"parent":"c9"}"#,
    #"{"op":"remove","key":"below"}"#, #"{"op":"collapse","key":"c"}"#,
  ]

  /// Small changes that meet the long ones on `a` or at the roots.
  private static let meeting = [
    #"{"op":"insert","key":"late","parent":"a","first":true}"#,
    #"{"op":"update","key":"a3","object":{"v":9}}"#,
    #"{"op":"move","keys":["n7"],"parent":"a"}"#,
    #"{"op":"insert","key":"top","first":true,"object":{"v":5}}"#,
  ]

  private func write(_ operation: String) throws {
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
    _ = try store.nonblocking.apply(batch, to: other.id, BatchOptions())
  }

  /// Holds the next long change as soon as it has not locked the tree.
  private func holdWithoutLock() throws {
    let tree = try store.find(shared.tree)
    slot.hold { (try? tree.tryTree(Attempt(clock: { 0 })) { _ in true }) == true }
  }

  /// Makes a long change beside small ones, and the same one after another in a twin.
  ///
  /// - Returns: True if it was made after them without starting over.
  func make(_ operation: String, beside writes: [String]) throws -> Bool {
    try make(operation, beside: writes, like: Self())
  }

  /// Makes a long change beside small ones, and the same one after another in a twin.
  func make(_ operation: String, beside writes: [String], like twin: Self) throws -> Bool {
    let batch = try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
    let follower = try store.follow(session.id, since: nil, BatchOptions()) {}
    defer { follower.cancel() }
    try holdWithoutLock()
    let call = AskedCall(store) { [id = session.id] service throws(ServiceError) in
      try service.apply(batch, to: id, BatchOptions())
    }
    slot.waitUntilHeld()
    // In a view with a filter, a change of few rows may be over already.
    guard try session.revision() == 0, !call.isAnswered else {
      slot.goOn()
      return false
    }
    for write in writes { try self.write(write) }
    slot.goOn()
    for write in writes { try twin.write(write) }
    let (answer, expected) = (
      call.result(),
      Result { () throws(ServiceError) in
        try twin.store.apply(batch, to: twin.session.id, BatchOptions())
      }
    )
    switch (answer, expected) {
    case (.success(let answer), .success(let expected)):
      #expect(StoreUnderTest.json(answer).tail == StoreUnderTest.json(expected).tail)
    case (.failure(let error), .failure(let expected)): #expect(error.code == expected.code)
    default: Issue.record("\(answer), not \(expected)")
    }
    try expectSame(twin)
    let tree = try store.find(shared.tree)
    try tree.withTree(.blocking) { $0.content.tree.checkInvariants() }
    return tree.executor.meter.rebases > 0
  }

  /// Expects that both sessions have the same rows and changes as those of a twin.
  private func expectSame(_ twin: Self) throws {
    let pairs = zip([session, other] + viewers, [twin.session, twin.other] + twin.viewers)
    for (own, their) in pairs {
      #expect(try own.rows() == their.rows())
      let revision = try own.revision()
      #expect(try revision == their.revision())
      for since in 0...revision {
        let query = ChangesQuery(since: Revision(since), options: BatchOptions())
        let list = try store.changes(of: own.id, query)
        let expected = try twin.store.changes(of: their.id, query)
        #expect(StoreUnderTest.json(list).tail == StoreUnderTest.json(expected).tail)
      }
    }
  }

  @Test(arguments: long)
  func `comes after updates by others`(operation: String) throws {
    #expect(try make(operation, beside: Self.apart))
  }

  @Test(arguments: long)
  func `comes after changes of the structure and of views elsewhere`(operation: String) throws {
    let isOfAll = operation.hasPrefix(#"{"op":"sort","by""#)
    #expect(try make(operation, beside: Self.structural) == !isOfAll)
  }

  /// Views with filters and orders.
  static let views = [
    #""filter":{"by":"/v","above":3}"#, #""order":"breadthFirst""#,
    #""viewSort":[{"by":"/v","direction":"descending"}]"#,
    #""filter":{"by":"/v","below":4},"order":"breadthFirst""#,
    ##""viewSort":[{"by":"/v"},{"by":"#key"}],"filter":{"by":"/v","above":2}"##,
    ##""viewSort":[{"by":"#key"}],"order":"breadthFirst","expansion":"none""##,
    #""filter":{"by":"/v","equals":5},"expansion":"none""#,
  ]

  @Test(arguments: [0, 2, 3, 6], ["", views[0], views[4]])
  func `comes after others in views with filters and orders`(number: Int, view: String) throws {
    let operation = Self.long[number]
    let isOfAll = operation.hasPrefix(#"{"op":"sort","by""#)
    // After so many moves, orders of siblings are sorted anew.
    let sortsAnew = operation.contains("sort")
    let views = Self.views.filter { !sortsAnew || !$0.contains("viewSort") }
    let options = #""selection":"multiple""# + (view.isEmpty ? "" : "," + view)
    let (test, twin) = (
      try Self(as: options, viewing: views), try Self(as: options, viewing: views)
    )
    let writes = isOfAll ? Self.apart : Self.structural
    let isRebased = try test.make(operation, beside: writes, like: twin)
    #expect(isRebased != (sortsAnew && view.contains("viewSort")))
  }

  /// The other nodes are as many, so that their number does not tell.
  @Test func `comes after the expansion of a node whose children it replaces`() throws {
    let (test, twin) = (try Self(), try Self())
    for test in [test, twin] { try test.write(#"{"op":"collapse","key":"c"}"#) }
    let children = (0..<20).map { #"{"key":"new\#($0)"}"# }.joined(separator: ",")
    let operation =
      #"{"op":"select","subtree":"a"},"#
      + #"{"op":"setChildren","key":"c","children":[\#(children)]}"#
    _ = try test.make(operation, beside: [#"{"op":"expand","key":"c"}"#], like: twin)
  }

  @Test(arguments: long, meeting)
  func `comes after what meets it`(operation: String, write: String) throws {
    _ = try make(operation, beside: [write])
  }

  private func importing(beside writes: [String], under parent: String) throws -> Bool {
    let lines = (0..<200).map { #"{"key":"i\#($0)","parent":"\#(parent)"}"# }
    var decoder = ImportDecoder()
    try decoder.feed(Array(lines.joined(separator: "\n").utf8))
    let nodes = try decoder.finish()
    let twin = try Self()
    try holdWithoutLock()
    let call = AskedCall(store) { [tree = shared.tree] service throws(ServiceError) in
      try service.importNodes(nodes, into: tree, BatchOptions())
    }
    slot.waitUntilHeld()
    for write in writes { try self.write(write) }
    slot.goOn()
    for write in writes { try twin.write(write) }
    let answer = call.result()
    let expected = Result { () throws(ServiceError) in
      try twin.store.importNodes(nodes, into: twin.shared.tree, BatchOptions())
    }
    let (own, their) = (try? answer.get(), try? expected.get())
    #expect(own?.revision == their?.revision && own?.nodeCount == their?.nodeCount)
    try expectSame(twin)
    let tree = try store.find(shared.tree)
    try tree.withTree(.blocking) { $0.content.tree.checkInvariants() }
    return tree.executor.meter.rebases > 0
  }

  @Test func `that imports nodes comes after them`() throws {
    #expect(try importing(beside: Self.apart + Self.structural, under: "a"))
  }

  @Test(arguments: [
    #"{"op":"insert","key":"late","parent":"c"}"#, #"{"op":"insert","key":"i7"}"#,
    #"{"op":"remove","key":"c"}"#, #"{"op":"collapse","key":"c"}"#,
    #"{"op":"move","keys":["c"],"parent":"b"}"#,
  ])
  func `that imports nodes comes after what meets it`(write: String) throws {
    _ = try importing(beside: [write], under: "c")
  }
}

extension String {
  /// The JSON of a change list after the name of its session.
  fileprivate var tail: Substring {
    self[(firstIndex(of: ",") ?? startIndex)...]
  }
}
