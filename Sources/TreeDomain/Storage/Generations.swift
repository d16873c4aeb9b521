/// The generations of stored data, and the revisions with which trees continue after a loss.
///
/// A new generation begins when storage is opened on a backup that replaced the former data.
/// Revisions above those in the backup may have been used. So all trees and sessions continue at a
/// revision above every used one, and history begins there.
///
/// A tree enters a generation when it is next read, which writes nothing. Generations share no
/// revisions, so the tree's revision after an entry determines the generation of the entry.
///
/// A commit that fails loses changes that readers may have seen. Their revisions are never used
/// again: the tree continues at a multiple of ``lossStep`` above them. An entry shows this, too:
/// its revision is more than 1 above the one before.
package struct Generations: Equatable, Sendable {
  /// The first revision of each generation but the first, ascending.
  package private(set) var starts: [Revision]

  /// The first revision of a generation is a multiple of this.
  package static let step: UInt64 = 1_000_000
  /// The minimum distance of a new generation from the highest known revision.
  ///
  /// A backup does not contain the number of revisions that were used after it was made.
  package static let margin = step / 2

  /// The revision of a tree after lost changes is a multiple of this.
  package static let lossStep: UInt64 = 1_000

  /// Makes a list from the first revisions of all generations but the first, ascending.
  package init(_ starts: [Revision] = []) { self.starts = starts }

  /// The first revision of the current generation; 0 if no backup was ever restored.
  package var current: Revision { starts.last ?? Revision(0) }

  /// Returns the first revision of the generation of a revision.
  ///
  /// - Complexity: O(generations).
  package func start(of revision: Revision) -> Revision {
    starts.last { $0 <= revision } ?? Revision(0)
  }

  /// Returns the revision at which a tree and its sessions continued before an entry.
  ///
  /// An entry adds at most 1, so a greater step means that changes were lost before it.
  ///
  /// - Parameters:
  ///   - revision: The tree's revision after the entry.
  ///   - known: Its revision after the entry before.
  /// - Returns: The revision, which is at most `known` if the tree simply continued.
  /// - Complexity: O(generations).
  package func start(of revision: Revision, after known: Revision) -> Revision {
    let start = start(of: revision)
    guard revision.number > max(start, known).number + 1 else { return start }
    return Revision(revision.number - revision.number % Self.lossStep)
  }

  /// Returns the revision at which a tree and its sessions continue after changes were lost.
  ///
  /// It is at least 2 above the highest one, so that ``start(of:after:)`` detects the loss.
  ///
  /// - Parameter highest: The highest revision of the tree and its sessions that was shown.
  /// - Returns: A multiple of ``lossStep``.
  package static func start(afterLossOf highest: Revision) -> Revision {
    Revision(((highest.number + 1) / lossStep + 1) * lossStep)
  }

  /// Returns an upper bound for the revisions of a tree and its sessions after an entry.
  ///
  /// An entry adds at most 1 to the revision of its tree and of each session. A session begins at
  /// 0, or with the tree at its first revision of a generation or after a loss.
  package func bound(entry number: Int, revision: Int) -> Revision {
    Revision(max(UInt64(revision), current.number) + UInt64(number))
  }

  /// Returns the number of the block above which the next generation begins.
  ///
  /// A block has ``step`` revisions.
  ///
  /// - Parameter highest: The highest revision that is known to have been used.
  /// - Returns: The number of the block.
  package static func block(of highest: Revision) -> UInt64 { (highest.number + margin) / step }

  /// Returns the first revision of the generation that begins above a block.
  package static func start(aboveBlock block: UInt64) -> Revision { Revision((block + 1) * step) }

  /// Begins a generation.
  ///
  /// - Precondition: `start` is above the current one.
  package mutating func begin(at start: Revision) {
    precondition(start > current, "a generation begins above the one before it")
    starts.append(start)
  }
}
