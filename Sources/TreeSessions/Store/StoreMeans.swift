public import TreeDomain

/// The means that several stores of one process share: memory, and the limits of waiting calls,
/// events and exports.
public final class StoreMeans: Sendable {
  let usage: Usage
  let meter = TreeMeter()
  let waiting: SharedRoom
  /// Counts the exports of all trees.
  let exports = LiveExports()
  /// The room for the queued events of all followers.
  let queuedEvents: SharedRoom

  /// Makes means within limits.
  ///
  /// - Parameters:
  ///   - limits: The limits of all stores together.
  ///   - memory: The account that counts and limits their memory; by default a new one.
  public init(limits: SessionLimits, memory: MemoryAccount? = nil) {
    usage = Usage(memory ?? MemoryAccount(limit: limits.maxMemoryBytes))
    waiting = SharedRoom(limits.maxWaitingCalls)
    queuedEvents = SharedRoom(limits.maxQueuedEventBytesInAll, in: (usage.memory, .events))
  }
}
