/// The revision of a session's view or of a tree: a number that grows with each change.
///
/// A change adds 1. After lost changes or a restored backup, it continues higher (``Generations``).
public struct Revision: Hashable, Comparable, Sendable {
  /// The number, from 0.
  public var number: UInt64

  /// Makes a revision from its number.
  public init(_ number: UInt64) {
    self.number = number
  }

  /// A value that no session or tree ever has.
  public static let unknown = Revision(.max)

  /// The revision after the next change.
  public var next: Revision { Revision(number + 1) }

  /// Returns true if one revision is before another.
  public static func < (left: Revision, right: Revision) -> Bool {
    left.number < right.number
  }
}
