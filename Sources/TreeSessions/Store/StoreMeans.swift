internal import Synchronization
package import TreeDomain

/// The means that several stores of one process share: memory, and the limits of waiting calls,
/// events, exports and unwritten changes.
package final class StoreMeans: Sendable {
  let usage: Usage
  let meter = TreeMeter()
  let waiting: SharedRoom
  /// Counts the exports of all trees.
  let exports = LiveExports()
  /// The room for the queued events of all followers.
  let queuedEvents: SharedRoom
  let unwritten: UnwrittenBytes

  /// Makes means within limits.
  ///
  /// - Parameters:
  ///   - limits: The limits of all stores together.
  ///   - memory: The account that counts and limits their memory; by default a new one.
  package init(limits: SessionLimits, memory: MemoryAccount? = nil) {
    usage = Usage(memory ?? MemoryAccount(limit: limits.maxMemoryBytes))
    unwritten = UnwrittenBytes(limit: limits.maxUnwrittenBytes)
    waiting = SharedRoom(limits.maxWaitingCalls)
    queuedEvents = SharedRoom(limits.maxQueuedEventBytesInAll, in: (usage.memory, .events))
  }
}

/// The number of bytes that wait to be written in all queues of the process, and its limit.
final class UnwrittenBytes: Sendable {
  // The counter orders nothing, so relaxed atomics are enough.
  private let count = Atomic(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Adds a number of bytes, which may be negative.
  func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }

  /// True if nothing more should be added.
  var areTooMany: Bool { count.load(ordering: .relaxed) > limit }
}
