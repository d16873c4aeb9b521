/// How many batches have changed something: a session's view, or a tree.
public struct Revision: Hashable, Comparable, Sendable {
  /// The count, 0 at first.
  public var number: UInt64

  /// Makes a revision from its number.
  public init(_ number: UInt64) {
    self.number = number
  }

  /// One that nothing ever has.
  public static let unknown = Revision(.max)

  /// The revision after the next change.
  public var next: Revision { Revision(number + 1) }

  /// Whether one revision came before another.
  public static func < (left: Revision, right: Revision) -> Bool {
    left.number < right.number
  }
}
