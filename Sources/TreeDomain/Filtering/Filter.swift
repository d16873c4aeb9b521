/// Which nodes match: a predicate, or several of them combined.
///
/// Combinations are nested at most ``maxNesting`` deep, so that recursion over them is bounded.
public enum Filter: Equatable, Sendable {
  /// One predicate.
  case predicate(Predicate)
  /// Every one of these; of none it is true.
  case all([Filter])
  /// At least one of these; of none it is false.
  case any([Filter])
  /// Not this one.
  indirect case not(Filter)

  /// How many predicates a filter may have.
  public static let maxPredicates = 100
  /// How long a text to be found, or a pattern, may be, in bytes.
  public static let maxTextBytes = 4_096
  /// How deep combinations may be nested.
  public static let maxNesting = 32

  /// How many times as long as finding a short text it takes to ask about a node; at least 1.
  ///
  /// - Complexity: O(predicates).
  public var cost: Int {
    switch self {
    case .predicate(let predicate): predicate.cost
    case .all(let filters), .any(let filters): filters.reduce(1) { $0 + $1.cost }
    case .not(let filter): filter.cost
    }
  }

  /// Holds the filter against a node.
  ///
  /// - Parameters:
  ///   - subject: The node.
  ///   - count: Counts the steps, about one for 64 bytes that a test looks at.
  /// - Returns: True if the node matches.
  /// - Throws: What counting throws.
  /// - Complexity: O(length of the object) for each predicate, up to the first that decides.
  public func matches(
    _ subject: SortOrder.Subject,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Bool {
    switch self {
    case .predicate(let predicate): return try predicate.matches(subject, counting: count)
    case .all(let filters):
      for filter in filters where try !filter.matches(subject, counting: count) { return false }
      return true
    case .any(let filters):
      for filter in filters where try filter.matches(subject, counting: count) { return true }
      return false
    case .not(let filter): return try !filter.matches(subject, counting: count)
    }
  }
}
