import Synchronization
import TestSupport
import TreeAPI
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// A transport that puts sessions to sleep at random moments. At times it also compacts trees,
/// recreates them from their images, or packs views.
final class SleepyAccess: Access {
  private let store = SessionStore()
  private let access: RouterAccess
  private var random: SeededGenerator
  /// The number of times that a session was put to sleep.
  private(set) var sleepCount = 0

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
      $0.trees.entries.map(\.value) + $0.sessions.entries.map(\.value.tree)
    }
    let sleepsAll = random.oneIn(2)
    let chosen = random.number(in: 0...7)
    for tree in trees {
      sleepCount += try tree.withTree(.blocking) { manager in
        let chosenSessions = manager.sessions.keys.sorted().enumerated().filter { place, _ in
          sleepsAll || (chosen >> (place % 3)) & 1 == 1
        }
        let asleep = manager.putToSleep(chosenSessions.map(\.element), unusedSince: .max).count
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
      var image = ManagerImage(of: manager)
      let bytes = image.next(atLeast: .max)
      do throws(ImageError) {
        var reader = ManagerImageReader(limits: limits, usage: Usage())
        try reader.feed(bytes[...])
        manager = try reader.finish()
      } catch {
        preconditionFailure("an image was rejected: \(error)")
      }
      var again = ManagerImage(of: manager)
      precondition(again.next(atLeast: .max) == bytes, "the image of a restored tree differs")
    }
  }
}
