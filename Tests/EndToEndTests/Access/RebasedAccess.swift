import Synchronization
import TestSupport
import TreeAPI

@testable import TreeSessions

/// A transport that makes some batches on copies of trees from before earlier requests, as if these
/// had been sent while the batches were prepared.
final class RebasedAccess: Access {
  private let store = SessionStore()
  private let access: RouterAccess
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    access = RouterAccess(api: TreeAPI(service: store))
  }

  private var trees: [LockedTree] {
    store.core.table.withLock { Array($0.trees.values) + $0.sessions.values.map(\.tree) }
  }

  /// The number of batches that were made after others by a replay.
  var rebases: Int { meters.reduce(0) { $0 + $1.rebases } }

  /// The meters of all trees so far.
  private var meters: [TreeMeter] = []

  func send(_ ask: Ask) throws -> Answer {
    for tree in trees where !meters.contains(where: { $0 === tree.executor.meter }) {
      meters.append(tree.executor.meter)
    }
    guard isPlainBatch(ask), random.oneIn(3) else {
      let answer = try access.send(ask)
      if random.oneIn(4) { try beginCopies() }
      return answer
    }
    for tree in trees { try tree.withTree(.blocking) { $0.limits.maxSmallNodes = -1 } }
    defer {
      for tree in trees {
        let limit = store.limits.maxSmallNodes
        try? tree.withTree(.blocking) { $0.limits.maxSmallNodes = limit }
        tree.begunCopy.withLock { $0 = nil }
      }
    }
    let answer = try access.send(ask)
    // It was refused because of what was there earlier.
    guard answer.status >= 400 else { return answer }
    for tree in trees { tree.begunCopy.withLock { $0 = nil } }
    return try access.send(ask)
  }

  private func isPlainBatch(_ ask: Ask) -> Bool {
    ask.target.contains("/batch") && !ask.target.contains("dryRun=true")
      && !ask.fields.contains { field in
        ["if-match", "if-none-match", "idempotency-key"].contains(field.name.lowercased())
      }
  }

  private func beginCopies() throws {
    for tree in trees {
      try tree.withTree(.blocking) { manager in
        let copy = manager.beginCopy(isLogged: true)
        tree.begunCopy.withLock { $0 = copy }
      }
    }
  }
}
