import Synchronization
import TestSupport
import TreeAPI
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// A way to the service on which sessions fall asleep at random moments, and now and then their
/// trees are compacted or made anew of their images, and views close ranks.
final class SleepyAccess: Access {
  private let store = SessionStore()
  private let access: RouterAccess
  private var random: SeededGenerator
  /// How many sessions fell asleep so far.
  private(set) var lulled = 0

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    access = RouterAccess(api: TreeAPI(service: store))
  }

  func send(_ ask: Ask) throws -> Answer {
    if random.oneIn(8) { try disturb() }
    return try access.send(ask)
  }

  private func disturb() throws {
    let trees = store.core.table.withLock {
      Array($0.trees.values) + $0.sessions.values.map(\.tree)
    }
    let sleepsAll = random.oneIn(2)
    let chosen = random.number(in: 0...7)
    for tree in trees {
      lulled += try tree.withTree(.blocking) { manager in
        let tired = manager.sessions.keys.sorted().enumerated().filter { place, _ in
          sleepsAll || (chosen >> (place % 3)) & 1 == 1
        }
        let asleep = manager.putToSleep(tired.map(\.element), unusedSince: .max).count
        return asleep
      }
      if random.oneIn(4) { try tree.withTree(.blocking) { $0.compact() } }
      if random.oneIn(2) { try tree.withTree(.blocking) { $0.packViews() } }
      if random.oneIn(4) { try remake(tree) }
    }
  }

  private func remake(_ tree: LockedTree) throws {
    let limits = store.limits
    try tree.withTree(.blocking) { manager in
      var image = manager.image()
      let bytes = image.next(atLeast: .max)
      do throws(ImageError) {
        var reader = ManagerImageReader(limits: limits, usage: Usage())
        try reader.feed(bytes[...])
        manager = try reader.finish()
      } catch {
        preconditionFailure("an image is refused: \(error)")
      }
      var again = manager.image()
      precondition(again.next(atLeast: .max) == bytes, "the image of an image is another")
    }
  }
}
