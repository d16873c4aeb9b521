import Foundation
import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeSessions
import TreeStorage

@testable import TreeCluster

/// Requests during the release of a slot.
@Suite(.enabled(if: PostgreSQLServer.programs != nil))
struct LeavingSlotTests {
  private let service: ClusterService

  /// A slot that closes and opens again all the time.
  private final class Leaving: Sendable {
    private let slot: OpenSlot
    private let isOver = Atomic(false)
    private let hasEnded = Atomic(false)

    init(_ slot: OpenSlot) { self.slot = slot }

    func begin() {
      Thread.detachNewThread { [self] in
        while !isOver.load(ordering: .acquiring) {
          slot.isClosing.store(true, ordering: .releasing)
          slot.isClosing.store(false, ordering: .releasing)
        }
        hasEnded.store(true, ordering: .releasing)
      }
    }

    func end() {
      isOver.store(true, ordering: .releasing)
      while !hasEnded.load(ordering: .acquiring) { usleep(1_000) }
    }
  }

  init() throws {
    let server = try #require(PostgreSQLServer.shared)
    let cluster = try PostgreSQLCluster(uri: server.uri(of: try server.makeDatabase()), slots: 1)
    let options = ClusterOptions(
      makeStore: { (storage, _) throws(StorageError) in
        SlotStore(store: try SessionStore(storage: storage, clock: { 1_000 })) {}
      },
      assign: { work in Thread.detachNewThread(work) },
      dispose: { work in Thread.detachNewThread(work) },
      limits: SessionLimits(),
      clock: { Int(ProcessInfo.processInfo.systemUptime * 1_000) },
      tellGeneration: { _ in },
      say: { _ in }
    )
    service = try ClusterService(cluster, options)
    try service.start()
  }

  /// A client does not retry a request whose secret is unknown.
  @Test func `a secret is not unknown while the slot of its session leaves`() throws {
    defer { service.stop() }
    let bytes = Array(repeating: 7 as UInt8, count: SessionSecret.byteCount)
    let secret = try #require(SessionSecret(bytes: bytes))
    var new = try NewSession.decode(body: Array("{}".utf8))
    new.secret = SealedSecret(digest: SecretDigest(of: secret), salt: bytes)
    let session = try service.createSession(new, nil).description.session
    let leaving = Leaving(try #require(service.core.open.first))
    leaving.begin()
    var refusals = 0
    for _ in 0..<20_000 {
      let found = Result { () throws(ServiceError) in
        try service.session(openedBy: secret, at: session)
      }
      switch found {
      case .success(let known): try #require(known == session)
      case .failure(let error):
        refusals += 1
        try #require(error.code == .overloaded)
      }
    }
    leaving.end()
    #expect(1..<20_000 ~= refusals)
  }

  @Test func `a slot that is dropped before its release begins is acquired again`() throws {
    defer { service.stop() }
    service.core.state.withLock { state in
      state.isBusy[0] = true
      state.open[0] = nil
    }
    service.core.release(0)
    for _ in 0..<6_000 where !service.isComplete { usleep(10_000) }
    #expect(service.isComplete)
  }
}
