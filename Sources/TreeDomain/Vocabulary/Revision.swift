/// The revision of a session's view or of a tree: a number that grows with each change.
///
/// A change adds 1. After lost changes or a restored backup, it continues higher (``Generations``).
package struct Revision: Hashable, Comparable, Sendable {
  /// The number, from 0.
  package var number: UInt64

  /// Makes a revision from its number.
  package init(_ number: UInt64) {
    self.number = number
  }

  /// A value that no session or tree ever has.
  package static let unknown = Revision(.max)

  /// The revision after the next change.
  package var next: Revision { Revision(number + 1) }

  /// Returns true if one revision is before another.
  package static func < (left: Revision, right: Revision) -> Bool {
    left.number < right.number
  }
}
