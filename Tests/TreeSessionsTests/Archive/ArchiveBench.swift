import TestSupport
import TreeDomain
import TreeSessions
import TreeStorage

/// A store whose commits and background work run when the test says so.
struct ArchiveBench {
  let storage: MemoryStorage
  let clock = ManualClock()
  let commits = Desk()
  let works = Desk()
  let store: SessionStore
  let tree: TreeID

  init(limits: SessionLimits = SessionLimits(), readsWait: Bool = false) throws {
    storage = MemoryStorage(readsWait: readsWait)
    clock.now = 1_000
    store = try SessionStore(
      limits: limits,
      storage: storage,
      clock: { [clock] in clock.now },
      schedule: works.schedule,
      commit: { [commits] in commits.assign($0) }
    )
    tree = try store.make("t", #""nodes":[{"key":"a"}]"#)
    finishCommits()
  }

  func finishCommits() {
    while commits.count + works.count > 0 {
      commits.work()
      works.work()
    }
  }

  /// Makes storage work again, which the next request detects.
  func recover() {
    storage.fail(nil)
    clock.now += 2
    _ = try? store.apply(Batch.decode(body: Array(#"{"operations":[]}"#.utf8)), to: tree, .init())
    finishCommits()
  }
}
