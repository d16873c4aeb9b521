import Synchronization

/// A limit of bytes or calls that several holders share, each of which has its own limit as well.
///
/// The number of holders is not bounded, so their own limits do not bound the sum.
package final class SharedRoom: Sendable {
  // The counter orders nothing, so relaxed atomics are enough.
  private let held = Atomic(0)
  private let limit: Int
  /// The account that counts the bytes as memory, and their kind.
  private let memory: (account: MemoryAccount, kind: MemoryKind)?

  /// Creates a shared limit.
  ///
  /// - Parameters:
  ///   - limit: The largest amount.
  ///   - memory: The memory account that counts and bounds bytes, and their kind.
  package init(_ limit: Int, in memory: (account: MemoryAccount, kind: MemoryKind)? = nil) {
    self.limit = limit
    self.memory = memory
  }

  /// Takes an amount.
  ///
  /// - Returns: True if there was room. Otherwise nothing is taken.
  package func reserve(_ amount: Int) -> Bool {
    let isTaken = held.add(amount, ordering: .relaxed).newValue <= limit
    if isTaken, memory.map({ $0.account.reserve(amount, of: $0.kind) }) ?? true { return true }
    held.subtract(amount, ordering: .relaxed)
    return false
  }

  /// Gives back an amount that was taken.
  package func giveBack(_ amount: Int) {
    held.subtract(amount, ordering: .relaxed)
    memory?.account.add(-amount, to: memory?.kind ?? .events)
  }
}
