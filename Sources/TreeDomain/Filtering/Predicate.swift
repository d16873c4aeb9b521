import JSON

/// A test of one value of a node.
package struct Predicate: Equatable, Sendable {
  /// The kind of the test.
  ///
  /// An absent value passes no test.
  package enum Test: Equatable, Sendable {
    /// The value equals a JSON value: numbers by value, objects in any order of members.
    case equals([UInt8])
    /// The value is a text that contains this one.
    case contains([UInt8])
    /// The value is a text that starts with this one.
    case startsWith([UInt8])
    /// The value is a text that matches this glob pattern as a whole.
    case matches([UInt8])
    /// The value is greater than this JSON number or string.
    case above([UInt8])
    /// The value is less than this JSON number or string.
    case below([UInt8])
  }

  /// The location of the value.
  package let subject: SortDescriptor.Subject
  /// The test.
  package let test: Test
  /// True if the case of letters matters.
  package let isCaseSensitive: Bool
  /// The prepared operand of the test.
  private let target: PredicateTarget

  /// Makes a predicate.
  ///
  /// - Parameters:
  ///   - subject: The location of the value.
  ///   - test: The test. Texts must be valid UTF-8 and values valid JSON.
  ///   - isCaseSensitive: True if the case of letters matters.
  package init(by subject: SortDescriptor.Subject, _ test: Test, isCaseSensitive: Bool = false) {
    self.subject = subject
    self.test = test
    self.isCaseSensitive = isCaseSensitive
    target = PredicateTarget(test, isCaseSensitive: isCaseSensitive)
  }

  /// True if the operand is prepared as a hash, not as a text.
  var holdsHash: Bool {
    if case .equalsValue = target { true } else { false }
  }

  /// The memory of the parsed pattern in bytes; 0 without one.
  var patternBytes: Int {
    if case .matches(let glob) = target { glob.byteCount } else { 0 }
  }

  /// See ``Filter/cost``.
  var cost: Int {
    switch test {
    case .contains, .startsWith, .above, .below: 1
    // Values are compared in canonical form, and a pattern may be tried at each position.
    case .equals(let value): value.count > 64 ? 8 : 2
    case .matches(let pattern): 2 + pattern.count / 16
    }
  }

  /// Returns true if a node passes the test.
  ///
  /// - Throws: The errors of `count`.
  /// - Complexity: O(length of the object). For `matches` as ``Glob/matches(_:counting:)``.
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
