/// The generations of stored data, and the revisions with which trees continue after a loss.
///
/// A new generation begins when storage is opened on a backup that was put in the place of what it
/// had. What was replaced may have given out revisions above those in the backup. So all trees and
/// sessions go on at a revision that is above every one that was given out, and history begins
/// there.
///
/// A tree enters a generation when it is next read; nothing is written for it. An entry tells its
/// generation by the tree's revision after it, as generations do not share revisions.
///
/// A commit that fails takes back changes that readers may have seen. Their revisions are never
/// given out again: the tree goes on at a multiple of ``lossStep`` above them. An entry tells that,
/// too: its revision is more than 1 above the one before.
public struct Generations: Equatable, Sendable {
  /// The first revision of each generation but the first, ascending.
  public private(set) var starts: [Revision]

  /// The first revision of a generation is a multiple of this.
  public static let step: UInt64 = 1_000_000
  /// The least distance of a new generation from the highest known revision.
  ///
  /// A backup does not tell how many revisions were given out after it was made.
  public static let margin = step / 2

  /// The revision of a tree after lost changes is a multiple of this.
  public static let lossStep: UInt64 = 1_000

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

  /// Returns the revision at which a tree and its sessions went on before an entry.
  ///
  /// An entry adds 1 at most, so that a greater step says that changes were lost before it.
  ///
  /// - Parameters:
  ///   - revision: The tree's revision after the entry.
  ///   - known: Its revision after the entry before.
  /// - Returns: The revision, which is `known` or below where the tree just went on.
  /// - Complexity: O(generations).
  public func start(of revision: Revision, after known: Revision) -> Revision {
    let start = start(of: revision)
    guard revision.number > max(start, known).number + 1 else { return start }
    return Revision(revision.number - revision.number % Self.lossStep)
  }

  /// Returns the revision at which a tree and its sessions go on after changes were lost.
  ///
  /// It is 2 above the highest one at least, so that ``start(of:after:)`` can tell.
  ///
  /// - Parameter highest: The highest revision of the tree and its sessions that was shown.
  /// - Returns: A multiple of ``lossStep``.
  public static func start(afterLossOf highest: Revision) -> Revision {
    Revision(((highest.number + 1) / lossStep + 1) * lossStep)
  }

  /// Returns an upper bound for the revisions of a tree and its sessions after an entry.
  ///
  /// An entry adds at most 1 to the revision of its tree and of each session. A session begins at
  /// 0, or with the tree at its first revision of a generation or after a loss.
  public func bound(entry number: Int, revision: Int) -> Revision {
    Revision(max(UInt64(revision), current.number) + UInt64(number))
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
