import JSON

/// What a filter asks of one value of a node.
public struct Predicate: Equatable, Sendable {
  /// How the value is tested; an absent value passes no test.
  public enum Test: Equatable, Sendable {
    /// It equals a JSON value: numbers by value, objects whatever the order of their members.
    case equals([UInt8])
    /// It is a text that contains this one.
    case contains([UInt8])
    /// It is a text that starts with this one.
    case startsWith([UInt8])
    /// It is a text that matches this glob pattern as a whole.
    case matches([UInt8])
    /// It is greater than this JSON number or string.
    case above([UInt8])
    /// It is less than this JSON number or string.
    case below([UInt8])
  }

  /// Where the value is.
  public let subject: SortDescriptor.Subject
  /// How it is tested.
  public let test: Test
  /// Whether the case of letters matters.
  public let isCaseSensitive: Bool
  /// What the test looks for, made ready once.
  private let target: PredicateTarget

  /// Makes a predicate.
  ///
  /// - Parameters:
  ///   - subject: Where the value is.
  ///   - test: How it is tested; texts are valid UTF-8, values valid JSON.
  ///   - isCaseSensitive: Whether the case of letters matters.
  public init(by subject: SortDescriptor.Subject, _ test: Test, isCaseSensitive: Bool = false) {
    self.subject = subject
    self.test = test
    self.isCaseSensitive = isCaseSensitive
    target = PredicateTarget(test, isCaseSensitive: isCaseSensitive)
  }

  /// See ``Filter/cost``.
  var cost: Int {
    switch test {
    case .contains, .startsWith, .above, .below: 1
    // Values are written anew to be compared, and a pattern may be held against every place.
    case .equals(let value): value.count > 64 ? 8 : 2
    case .matches(let pattern): 2 + pattern.count / 16
    }
  }

  /// Returns true if a node passes the test.
  ///
  /// - Throws: What counting throws.
  /// - Complexity: O(length of the object), for `matches` as ``Glob/matches(_:counting:)``.
  func matches(
    _ node: SortOrder.Subject,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Bool {
    switch subject {
    case .key:
      try count(1 + node.key.count / 64)
      return try target.matches(text: node.key, counting: count)
    case .value(let pointer):
      try count(1 + node.object.count / 64)
      guard let place = pointer.evaluate(in: node.object) else { return false }
      return try target.matches(value: node.object[place], counting: count)
    }
  }
}
