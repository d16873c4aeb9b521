import Synchronization

/// The most of something (bytes, calls) that several may hold together, each of whom has a limit of
/// its own.
///
/// Any number of clients may ask for what is held: a limit for each bounds nothing in all.
public final class SharedRoom: Sendable {
  // Nothing is ordered by it: the number is all there is to say.
  private let held = Atomic(0)
  private let limit: Int
  /// The account of all memory that counts the bytes, and their kind there.
  private let memory: (account: MemoryAccount, kind: MemoryKind)?

  /// Creates room for so much.
  ///
  /// - Parameters:
  ///   - limit: The most that is held.
  ///   - memory: An account that bounds it, too, where it is bytes; and their kind.
  public init(_ limit: Int, in memory: (account: MemoryAccount, kind: MemoryKind)? = nil) {
    self.limit = limit
    self.memory = memory
  }

  /// Counts so much more as held.
  ///
  /// - Returns: True if there is room for it; if not, it is not counted.
  public func take(_ amount: Int) -> Bool {
    let isTaken = held.add(amount, ordering: .relaxed).newValue <= limit
    if isTaken, memory.map({ $0.account.take(amount, of: $0.kind) }) ?? true { return true }
    held.subtract(amount, ordering: .relaxed)
    return false
  }

  /// Counts so much as no longer held.
  public func giveBack(_ amount: Int) {
    held.subtract(amount, ordering: .relaxed)
    memory?.account.add(-amount, to: memory?.kind ?? .events)
  }
}
