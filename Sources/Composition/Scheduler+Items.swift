internal import HTTPServer
internal import TreeDomain

// Work as trees and requests describe it, on the threads of the server.
extension Scheduler {
  /// Queues a piece of work, however much waits.
  func schedule(_ item: WorkItem) { assign(WorkOwner(item)) { item.run(ItemSlot($0)) } }

  /// Queues a piece of work; false if too much waits.
  func submit(_ item: WorkItem) -> Bool {
    submit(WorkOwner(item)) { item.run(ItemSlot($0)) }
  }

  /// Queues work about no tree; false if too much waits.
  func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
    submit(WorkOwner()) { _ in work() }
  }

  /// Queues work about no tree, however much waits.
  func assign(_ work: @escaping @Sendable () -> Void) { assign(WorkOwner()) { _ in work() } }
}

extension WorkOwner {
  fileprivate init(_ item: WorkItem) {
    self.init(tree: item.tree, caller: item.caller, isExclusive: item.isExclusive)
  }
}

/// A place on a thread of the server, as work sees it.
private final class ItemSlot: WorkSlot {
  private let slot: WorkerSlot

  init(_ slot: WorkerSlot) { self.slot = slot }

  func pause() -> Int { slot.pause() }

  var isStopping: Bool { slot.isStopping }
}
