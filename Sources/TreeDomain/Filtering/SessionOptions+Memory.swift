import JSON

extension Filter {
  /// An estimate of the filter's memory in bytes.
  ///
  /// - Complexity: O(predicates).
  package var byteCount: Int {
    switch self {
    case .predicate(let predicate): predicate.byteCount
    case .all(let filters), .any(let filters): filters.reduce(64) { $0 + $1.byteCount }
    case .not(let filter): 64 + filter.byteCount
    }
  }
}

extension Predicate {
  /// The memory of a predicate in bytes, without its text and its pointer.
  private static var ownBytes: Int { 384 }

  fileprivate var byteCount: Int { Self.ownBytes + subject.byteCount + testBytes }

  private var testBytes: Int {
    switch test {
    case .matches(let pattern): pattern.count + patternBytes
    // The text as given and its search: lower-cased, with four bytes for each byte.
    case .contains(let text): 7 * text.count
    // An array or object is kept as given. Its hash has a fixed size.
    case .equals(let value) where holdsHash: value.count
    case .equals(let text), .startsWith(let text), .above(let text), .below(let text):
      3 * text.count
    }
  }
}

extension SortDescriptor.Subject {
  /// The memory of the pointer in bytes; 0 for the key.
  fileprivate var byteCount: Int {
    if case .value(let pointer) = self { pointer.byteCount } else { 0 }
  }
}

extension SortOrder {
  /// An estimate of the order's memory in bytes.
  ///
  /// - Complexity: O(criteria).
  package var byteCount: Int { descriptors.reduce(0) { $0 + 64 + $1.subject.byteCount } }
}

extension SessionOptions {
  /// An estimate of the memory of the filter and the orders in bytes.
  ///
  /// - Complexity: O(predicates and criteria).
  package var byteCount: Int { (filter?.byteCount ?? 0) + sort.byteCount + viewSort.byteCount }
}
