/// The reasons for which a mutation is refused.
///
/// Nothing has changed then, unless the step was interrupted.
public enum TreeError: Error, Equatable, Sendable {
  /// The key of the `offset`-th node given is in the tree already, or twice among those given.
  case duplicateKey(offset: Int)
  /// The node would come to stand below itself.
  case cycle
  /// The parent has only so many children to stand among.
  case indexOutOfRange(childCount: Int)
  /// A node would stand deeper than allowed.
  case depthLimit(Int)
  /// The caller stopped the step; the transaction is to be rolled back.
  case interrupted

  /// Does a part of a step that may also be refused for another reason.
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
