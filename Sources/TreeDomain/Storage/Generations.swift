/// The generations of what is stored.
///
/// A new generation begins when storage is opened on a backup that was put in the place of what it
/// had. What was replaced may have given out revisions above those in the backup. So all trees and
/// sessions go on at a revision that is above every one that was given out, and history begins
/// there.
///
/// A tree enters a generation when it is next read; nothing is written for it. An entry tells its
/// generation by the tree's revision after it, as generations do not share revisions.
public struct Generations: Equatable, Sendable {
  /// The first revision of each generation but the first, ascending.
  public private(set) var starts: [Revision]

  /// The first revision of a generation is a multiple of this.
  public static let step: UInt64 = 1_000_000
  /// The least distance of a new generation from the highest known revision.
  ///
  /// A backup does not tell how many revisions were given out after it was made.
  public static let margin = step / 2

  /// Makes a list from the first revisions of all generations but the first, ascending.
  public init(_ starts: [Revision] = []) { self.starts = starts }

  /// The first revision of the current generation; 0 where no backup was ever restored.
  public var current: Revision { starts.last ?? Revision(0) }

  /// Returns the first revision of the generation in which a revision was given out.
  ///
  /// - Complexity: O(generations).
  public func start(of revision: Revision) -> Revision {
    starts.last { $0 <= revision } ?? Revision(0)
  }

  /// Returns an upper bound for the revisions of a tree and its sessions after an entry.
  ///
  /// An entry adds 1 to the revision of its tree and of each session at most, and a session begins
  /// at 0 or, with the generation, at its first revision.
  public func bound(entry number: Int, revision: Int) -> Revision {
    max(Revision(UInt64(revision)), Revision(current.number + UInt64(number)))
  }

  /// Returns the number of the block of revisions above which the next generation begins, where
  /// none above `highest` is known to have been given out.
  public static func block(of highest: Revision) -> UInt64 { (highest.number + margin) / step }

  /// Returns the first revision of the generation that begins above a block.
  public static func start(aboveBlock block: UInt64) -> Revision { Revision((block + 1) * step) }

  /// Begins a generation.
  ///
  /// - Precondition: `start` is above the current one.
  public mutating func begin(at start: Revision) {
    precondition(start > current, "a generation begins above the one before it")
    starts.append(start)
  }
}
