extension Filter {
  /// An upper estimate of the filter's memory in bytes.
  ///
  /// - Complexity: O(predicates).
  public var byteCount: Int {
    switch self {
    case .predicate(let predicate): predicate.byteCount
    case .all(let filters), .any(let filters): filters.reduce(64) { $0 + $1.byteCount }
    case .not(let filter): 64 + filter.byteCount
    }
  }
}

extension Predicate {
  /// The memory of a predicate without its text, in bytes.
  ///
  /// The strings of a pointer take more.
  private static var ownBytes: Int { 384 }
  /// The memory for one byte of a pattern, in bytes.
  ///
  /// A set takes several.
  private static var bytesPerPatternByte: Int { 34 }

  fileprivate var byteCount: Int {
    switch test {
    case .matches(let pattern): Self.ownBytes + Self.bytesPerPatternByte * pattern.count
    // The text as given and its search: lower-cased, with four bytes for each byte.
    case .contains(let text): Self.ownBytes + 7 * text.count
    case .equals(let text), .startsWith(let text), .above(let text), .below(let text):
      Self.ownBytes + 3 * text.count
    }
  }
}
