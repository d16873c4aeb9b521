import Synchronization
import TestSupport
import TreeAPI

@testable import TreeSessions

/// A transport that replaces trees with forks at random moments. Some of the former trees are kept,
/// so that memory stays shared.
final class ForkedAccess: Access {
  private let store = SessionStore()
  private let access: RouterAccess
  private var random: SeededGenerator
  /// Replaced trees, and forks that were never used.
  private var kept: [FormerTree] = []
  /// The number of forks that have replaced a tree.
  private(set) var forkCount = 0

  private final class FormerTree: @unchecked Sendable {
    let manager: TreeManager

    init(_ manager: consuming TreeManager) { self.manager = manager }
  }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    access = RouterAccess(api: TreeAPI(service: store))
  }

  func send(_ ask: Ask) throws -> Answer {
    if random.oneIn(2) { try forkAll() }
    return try access.send(ask)
  }

  private func forkAll() throws {
    let trees = store.core.table.withLock {
      $0.trees.entries.map(\.value) + $0.sessions.entries.map(\.value.tree)
    }
    for tree in trees {
      let fork = try tree.withTree(.blocking) { FormerTree($0.fork(with: $0.sessions.values)) }
      guard random.oneIn(2) else {
        kept.append(fork)
        continue
      }
      let former = try tree.withTree(.blocking) { manager in
        let former = FormerTree(manager.fork(with: manager.sessions.values))
        manager = fork.manager.fork(with: fork.manager.sessions.values)
        manager.copying = TreeCopying()
        return former
      }
      kept.append(former)
      forkCount += 1
    }
    kept.shuffle(using: &random)
    kept.removeLast(max(0, kept.count - 3))
  }
}
