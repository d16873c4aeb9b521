import Synchronization

/// How many bytes the imports under way hold together.
///
/// An import is brought in as a whole, so that what has come of it is held until all has; each has
/// a limit of its own, and any number of clients may send one.
final class ImportRoom: Sendable {
  private let held = Atomic(0)
  private let bytesMax: Int

  /// Room for so many bytes.
  init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// Counts bytes as held.
  ///
  /// - Returns: Whether there is room for them; if not, they are not counted.
  func take(_ bytes: Int) -> Bool {
    let isTaken = held.add(bytes, ordering: .relaxed).newValue <= bytesMax
    if !isTaken { giveBack(bytes) }
    return isTaken
  }

  /// Counts bytes as no longer held.
  func giveBack(_ bytes: Int) { held.subtract(bytes, ordering: .relaxed) }
}
