internal import HTTPServer
internal import TreeDomain

// Running the work of trees and requests on the server's threads.
extension Scheduler {
  /// Queues a piece of work, even if the queue is full.
  func schedule(_ item: WorkItem) { assign(WorkOwner(item)) { item.run(ItemSlot($0)) } }

  /// Queues a piece of work.
  ///
  /// Returns false if the queue is full.
  func submit(_ item: WorkItem) -> Bool {
    submit(WorkOwner(item)) { item.run(ItemSlot($0)) }
  }

  /// Queues work that concerns no tree.
  ///
  /// Returns false if the queue is full.
  func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
    submit(WorkOwner()) { _ in work() }
  }

  /// Queues work that concerns no tree, even if the queue is full.
  func assign(_ work: @escaping @Sendable () -> Void) { assign(WorkOwner()) { _ in work() } }
}

extension WorkOwner {
  fileprivate init(_ item: WorkItem) {
    self.init(tree: item.tree, caller: item.caller, isExclusive: item.isExclusive)
  }
}

/// An adapter from a slot of the server to the protocol that work uses.
private final class ItemSlot: WorkSlot {
  private let slot: WorkerSlot

  init(_ slot: WorkerSlot) { self.slot = slot }

  func pause() -> Int { slot.pause() }

  var isStopping: Bool { slot.isStopping }
}
