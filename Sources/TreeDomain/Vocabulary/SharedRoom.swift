import Synchronization

/// So much of something (bytes, calls) as several may hold together, each of whom has a limit of
/// its own.
///
/// Any number of clients may ask for what is held: a limit for each bounds nothing in all.
public final class SharedRoom: Sendable {
  // Nothing is ordered by it: the number is all there is to say.
  private let held = Atomic(0)
  private let limit: Int

  /// Room for so much.
  public init(_ limit: Int) { self.limit = limit }

  /// Counts so much more as held.
  ///
  /// - Returns: Whether there is room for it; if not, it is not counted.
  public func take(_ amount: Int) -> Bool {
    let isTaken = held.add(amount, ordering: .relaxed).newValue <= limit
    if !isTaken { giveBack(amount) }
    return isTaken
  }

  /// Counts so much as no longer held.
  public func giveBack(_ amount: Int) { held.subtract(amount, ordering: .relaxed) }
}
