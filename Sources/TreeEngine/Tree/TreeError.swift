/// A reason why a mutation is refused.
///
/// Nothing has changed, except after ``interrupted``.
public enum TreeError: Error, Equatable, Sendable {
  /// The key of the node at `offset` is in the tree already, or occurs twice among the given nodes.
  case duplicateKey(offset: Int)
  /// The node would be below itself.
  case cycle
  /// The index is negative, or exceeds the number of other children of the parent.
  case indexOutOfRange(childCount: Int)
  /// A node would be deeper than this limit.
  case depthLimit(Int)
  /// The caller stopped the step. The transaction must be rolled back.
  case interrupted

  /// Performs a part of a step, and converts its interruption to a ``TreeError``.
  ///
  /// - Throws: ``interrupted`` if the part is interrupted.
  static func uninterrupted<Value>(
    _ part: () throws(Interruption) -> Value
  ) throws(TreeError) -> Value {
    do throws(Interruption) {
      return try part()
    } catch {
      throw .interrupted
    }
  }
}
