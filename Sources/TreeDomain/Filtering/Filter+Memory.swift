extension Filter {
  /// An estimate of the filter's memory in bytes, without the strings of its JSON Pointers.
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
  /// The memory of a predicate in bytes, without its text and the strings of its pointer.
  private static var ownBytes: Int { 384 }
  /// The memory for one byte of a pattern, in bytes.
  ///
  /// A set is written with several bytes.
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
