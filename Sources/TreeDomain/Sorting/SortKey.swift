/// What a ``SortOrder`` read from one node.
public struct SortKey: Sendable {
  /// One value for each criterion.
  let values: [SortValue]
  /// Orders keys as far as a number can: the lesser comes first, equal ones are to be compared.
  let rank: UInt64
}
