extension Filter {
  /// About how many bytes the filter takes in memory, at most.
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
  /// The bytes without the text; the strings of a pointer take some more.
  private static var ownBytes: Int { 384 }
  /// About how many bytes are made of one byte of a pattern, of which a set takes some.
  private static var bytesPerPatternByte: Int { 34 }

  fileprivate var byteCount: Int {
    switch test {
    case .matches(let pattern): Self.ownBytes + Self.bytesPerPatternByte * pattern.count
    // As it came, and made ready for a search: folded, with four bytes for each of its own.
    case .contains(let text): Self.ownBytes + 7 * text.count
    case .equals(let text), .startsWith(let text), .above(let text), .below(let text):
      Self.ownBytes + 3 * text.count
    }
  }
}
