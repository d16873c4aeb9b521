import TestSupport
import TreeDomain

extension Desk {
  /// Enqueues a work item.
  func schedule(_ item: WorkItem) { assign { item.run(UnscheduledSlot()) } }

  /// Enqueues a work item; returns false if the queue is full.
  func submit(_ item: WorkItem) -> Bool { enqueue { item.run(UnscheduledSlot()) } }
}
