import Testing
import TreeDomain
import TreeSessions

struct ExactlyOnceTests {
  private let insert = #"{"op":"insert","key":"a"}"#

  @Test func `a retry with the same key gets the same answer, and is applied once`() throws {
    let session = try StoreUnderTest("{}")
    let first = try session.apply(insert, options: .key("k", 1))
    let again = try session.apply(insert, options: .key("k", 1))
    #expect(again.wasReplayed && !first.wasReplayed)
    #expect(StoreUnderTest.json(again) == StoreUnderTest.json(first))
    #expect(try session.revision() == 1)
    let other = refusal { () throws(ServiceError) in
      try session.apply(insert, options: .key("k", 2))
    }
    #expect(other?.code == .idempotencyKeyReused)
  }

  @Test func `a refusal is replayed as well`() throws {
    let session = try StoreUnderTest("{}")
    let remove = #"{"op":"remove","key":"a"}"#
    let first = refusal { () throws(ServiceError) in
      try session.apply(remove, options: .key("k", 1))
    }
    try session.apply(insert)
    let again = refusal { () throws(ServiceError) in
      try session.apply(remove, options: .key("k", 1))
    }
    #expect(first?.code == .nodeNotFound && first?.wasReplayed == false)
    #expect(again?.code == .nodeNotFound && again?.wasReplayed == true)
  }

  @Test func `answers are kept up to a number and a time`() throws {
    var limits = SessionLimits()
    limits.maxReplays = 2
    limits.replaySeconds = 60
    let clock = ManualClock()
    let store = SessionStore(limits: limits) { clock.now }
    let session = try StoreUnderTest("{}", in: store)
    for key in ["a", "b", "c"] {
      try session.apply(#"{"op":"insert","key":"\#(key)"}"#, options: .key(key, 1))
    }
    #expect(try session.apply(#"{"op":"expandAll"}"#, options: .key("c", 1)).wasReplayed)
    #expect(try !session.apply(#"{"op":"expandAll"}"#, options: .key("a", 1)).wasReplayed)
    clock.now += 61
    #expect(try !session.apply(#"{"op":"expandAll"}"#, options: .key("c", 1)).wasReplayed)
  }

  @Test func `creations with one key are applied once`() throws {
    let store = SessionStore()
    let key = IdempotencyKey(token: Array("k".utf8), fingerprint: 1)
    let first = try store.createSession(NewSession(), key)
    let again = try store.createSession(NewSession(), key)
    #expect(first.description == again.description && again.wasReplayed)
    let tree = refusal { () throws(ServiceError) in _ = try store.createTree(NewTree(), key) }
    #expect(tree?.code == .idempotencyKeyReused)
  }

  @Test func `results of creations are kept up to a number of bytes`() throws {
    var limits = SessionLimits()
    limits.maxReplayBytes = 4_000
    let store = SessionStore(limits: limits)
    let names = (0..<5).map { #""\#($0)\#(String(repeating: "x", count: 400))""# }
    for tree in ["t", "u"] {
      let body = #"{"tree":"\#(tree)","sections":[\#(names.joined(separator: ","))]}"#
      let new = try NewTree.decode(body: Array(body.utf8))
      let key = IdempotencyKey(token: Array(tree.utf8), fingerprint: 1)
      _ = try store.createTree(new, key)
      #expect(try store.createTree(new, key).wasReplayed)
    }
    let forgotten = refusal { () throws(ServiceError) in
      let key = IdempotencyKey(token: Array("t".utf8), fingerprint: 1)
      _ = try store.createTree(try NewTree.decode(body: Array(#"{"tree":"t"}"#.utf8)), key)
    }
    #expect(forgotten?.code == .treeExists)
  }

  @Test func `a batch for another revision is refused, and a dry run changes nothing`() throws {
    let session = try StoreUnderTest("{}")
    var options = BatchOptions()
    options.condition = RevisionCondition(required: .oneOf([Revision(1)]))
    let stale = refusal { () throws(ServiceError) in try session.apply(insert, options: options) }
    #expect(stale?.code == .revisionMismatch && stale?.revision == Revision(0))
    options.condition = RevisionCondition(required: .oneOf([Revision(7), Revision(0)]))
    options.isDryRun = true
    let planned = try session.apply(insert, options: options)
    #expect(planned.revision == Revision(1) && planned.changes.count == 1)
    #expect(try session.keys().isEmpty && session.revision() == 0)
    options.isDryRun = false
    #expect(try session.apply(insert, options: options) == planned)
  }
}

extension BatchOptions {
  fileprivate static func key(_ token: String, _ fingerprint: UInt64) -> BatchOptions {
    var options = BatchOptions()
    options.idempotency = IdempotencyKey(token: Array(token.utf8), fingerprint: fingerprint)
    return options
  }
}
