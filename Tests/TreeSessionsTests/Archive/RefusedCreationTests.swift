import TestSupport
import Testing
import TreeDomain
import TreeSessions
import TreeStorage

/// A refused creation is remembered, so that a retry does not succeed later.
struct RefusedCreationTests {
  private static let key = IdempotencyKey(token: Array("k".utf8), fingerprint: 1)

  /// Requests that are refused if there is a tree `t` and no tree `u`.
  private enum Request: CaseIterable {
    case takenTree, doubleKey, missingTree

    func send(to store: SessionStore) -> ServiceError? {
      refusal { () throws(ServiceError) in
        switch self {
        case .takenTree: _ = try store.createTree(.decode(body: Self.bytes("t")), key)
        case .doubleKey:
          let nodes = #","nodes":[{"key":"a"},{"key":"a"}]"#
          _ = try store.createTree(.decode(body: Self.bytes("u", nodes)), key)
        case .missingTree: _ = try store.createSession(.decode(body: Self.bytes("u")), key)
        }
      }
    }

    private static func bytes(_ tree: String, _ more: String = "") -> [UInt8] {
      Array(#"{"tree":"\#(tree)"\#(more)}"#.utf8)
    }

    var code: ServiceErrorCode {
      switch self {
      case .takenTree: .treeExists
      case .doubleKey: .duplicateKey
      case .missingTree: .treeNotFound
      }
    }
  }

  /// Removes the reason of a refusal.
  private func remedy(_ request: Request, in bench: ArchiveBench) throws {
    switch request {
    case .takenTree: _ = try bench.store.deleteTree(bench.tree, nil)
    case .doubleKey: break
    case .missingTree: _ = try bench.store.make("u", "")
    }
    bench.finishCommits()
  }

  @Test func `a refusal is replayed before and after a restart`() throws {
    for request in Request.allCases {
      let bench = try ArchiveBench()
      let first = request.send(to: bench.store)
      bench.finishCommits()
      try remedy(request, in: bench)
      let again = try SessionStore(storage: bench.storage) { [clock = bench.clock] in clock.now }
      for store in [bench.store, again] {
        let retried = request.send(to: store)
        #expect(first?.code == request.code && first?.wasReplayed == false)
        #expect(retried?.code == request.code && retried?.wasReplayed == true)
        #expect(retried?.detail == first?.detail && retried?.key == first?.key)
      }
    }
  }

  @Test func `a refusal is answered after it is stored, and forgotten if that fails`() throws {
    for request in Request.allCases {
      let bench = try ArchiveBench()
      bench.storage.fail(.full("no room"))
      let lost = request.send(to: bench.store)
      #expect(lost?.durability.isResolved == false)
      bench.finishCommits()
      #expect(lost?.durability.loss?.code == .storageFull)
      #expect(request.send(to: bench.store)?.code == .storageFull, "it could not be kept")
      bench.recover()
      let kept = request.send(to: bench.store)
      #expect(kept?.code == request.code && kept?.wasReplayed == false)
      bench.finishCommits()
      #expect(kept?.durability.loss == nil && kept?.durability.isResolved == true)
    }
  }

  /// Otherwise a client could fill the disk with answers that are never used.
  @Test func `storage keeps no more answers than memory`() throws {
    var limits = SessionLimits()
    limits.maxReplays = 3
    let bench = try ArchiveBench(limits: limits)
    for number in 0..<20 {
      bench.clock.now += 1
      let key = IdempotencyKey(token: Array("\(number)".utf8), fingerprint: 1)
      let body = Array(#"{"tree":"\#(number % 2 == 0 ? "t" : "made\(number)")"}"#.utf8)
      _ = try? bench.store.createTree(.decode(body: body), key)
      bench.finishCommits()
      #expect(bench.storage.creations().count <= 4)
    }
    let kept = bench.storage.creations().map(\.token)
    #expect(kept.suffix(3) == ["17", "18", "19"].map { Array($0.utf8) })
  }

  @Test func `a temporary refusal is not remembered`() throws {
    var limits = SessionLimits()
    limits.maxTrees = 1
    let bench = try ArchiveBench(limits: limits)
    #expect(
      refusal { () throws(ServiceError) in
        _ = try bench.store.createTree(.decode(body: Array("{}".utf8)), Self.key)
      }?.code == .overloaded
    )
    bench.finishCommits()
    _ = try bench.store.deleteTree(bench.tree, nil)
    bench.finishCommits()
    #expect(try !bench.store.createTree(.decode(body: Array("{}".utf8)), Self.key).wasReplayed)
  }
}
