/// A condition on nodes: a predicate or a combination of filters.
///
/// Filters are nested at most ``maxNesting`` deep, so that recursion is bounded.
package enum Filter: Equatable, Sendable {
  /// A single predicate.
  case predicate(Predicate)
  /// A conjunction. True if empty.
  case all([Filter])
  /// A disjunction. False if empty.
  case any([Filter])
  /// A negation.
  indirect case not(Filter)

  /// The largest number of predicates in a filter.
  package static let maxPredicates = 100
  /// The largest size of a text or pattern in a predicate, in bytes.
  package static let maxTextBytes = 4_096
  /// The largest depth of nested filters.
  package static let maxNesting = 32

  /// The relative cost of a test of one node.
  ///
  /// A search for a short text costs 1.
  ///
  /// - Complexity: O(predicates).
  package var cost: Int {
    switch self {
    case .predicate(let predicate): predicate.cost
    case .all(let filters), .any(let filters): filters.reduce(1) { $0 + $1.cost }
    case .not(let filter): filter.cost
    }
  }

  /// Tests a node.
  ///
  /// - Parameters:
  ///   - subject: The node.
  ///   - count: Counts steps, about one for 64 bytes read.
  /// - Returns: True if the node matches.
  /// - Throws: The errors of `count`.
  /// - Complexity: O(length of the object) for each predicate that is evaluated.
  package func matches(
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
