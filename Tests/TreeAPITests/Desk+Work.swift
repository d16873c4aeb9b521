import TestSupport
import TreeDomain

extension Desk {
  /// Puts a piece of work on the desk.
  func schedule(_ item: WorkItem) { assign { item.run(UnscheduledSlot()) } }

  /// Puts a piece of work on the desk; false if there is no room.
  func submit(_ item: WorkItem) -> Bool { take { item.run(UnscheduledSlot()) } }
}
