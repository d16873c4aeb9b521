/// What a ``SortOrder`` read from one node.
public struct SortKey: Sendable {
  /// One value for each criterion.
  let values: [SortValue]
}
