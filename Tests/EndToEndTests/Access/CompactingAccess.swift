import Synchronization
import TreeAPI

@testable import TreeSessions

/// A transport that compacts all trees before every n-th request.
final class CompactingAccess: Access {
  private let store = SessionStore()
  private let access: RouterAccess
  private let period: Int
  private var count = 0

  init(every period: Int) {
    self.period = period
    access = RouterAccess(api: TreeAPI(service: store))
  }

  func send(_ ask: Ask) throws -> Answer {
    count += 1
    if count % period == 0 { store.compactAll() }
    return try access.send(ask)
  }
}

extension SessionStore {
  /// Compacts all trees, even if they have no need of it.
  fileprivate func compactAll() {
    let trees = core.table.withLock {
      $0.trees.entries.map(\.value) + $0.sessions.entries.map(\.value.tree)
    }
    for tree in trees { try? tree.withTree(.blocking) { $0.compact() } }
  }
}
