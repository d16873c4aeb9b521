import Synchronization

/// So many bytes as several may hold together, each of whom has a limit of its own.
///
/// Any number of clients may ask for what is held: a limit for each bounds no memory.
public final class SharedRoom: Sendable {
  private let held = Atomic(0)
  private let bytesMax: Int

  /// Room for so many bytes.
  public init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// Counts bytes as held.
  ///
  /// - Returns: Whether there is room for them; if not, they are not counted.
  public func take(_ bytes: Int) -> Bool {
    let isTaken = held.add(bytes, ordering: .relaxed).newValue <= bytesMax
    if !isTaken { giveBack(bytes) }
    return isTaken
  }

  /// Counts bytes as no longer held.
  public func giveBack(_ bytes: Int) { held.subtract(bytes, ordering: .relaxed) }
}
