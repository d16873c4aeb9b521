import JSON

/// The prepared operand of a predicate.
///
/// Texts are lower-cased once here if case does not matter. The texts they are compared with are
/// lower-cased only as far as needed.
enum PredicateTarget: Equatable, Sendable {
  /// The side of a comparison.
  enum Side: Equatable, Sendable {
    case above, below
  }

  case contains(TextSearch)
  case startsWith(SoughtText)
  case matches(Glob)
  case equalsText(SoughtText)
  case equalsNumber([UInt8])
  case equalsValue(CanonicalValue)
  case besideText(SoughtText, Side)
  case besideNumber([UInt8], Side)

  init(_ test: Predicate.Test, isCaseSensitive: Bool) {
    switch test {
    case .contains(let text):
      self = .contains(TextSearch(text, isCaseSensitive: isCaseSensitive))
    case .startsWith(let text):
      self = .startsWith(SoughtText(text, isCaseSensitive: isCaseSensitive))
    case .matches(let pattern): self = .matches(Glob(pattern, isCaseSensitive: isCaseSensitive))
    case .equals(let value):
      switch ValueText(value[...]) {
      case .string(let text):
        self = .equalsText(SoughtText(Array(text), isCaseSensitive: isCaseSensitive))
      case .number(let number): self = .equalsNumber(Array(number))
      case .other: self = .equalsValue(CanonicalValue(value, isCaseSensitive: isCaseSensitive))
      }
    case .above(let value): self.init(value, .above, isCaseSensitive: isCaseSensitive)
    case .below(let value): self.init(value, .below, isCaseSensitive: isCaseSensitive)
    }
  }

  private init(_ value: [UInt8], _ side: Side, isCaseSensitive: Bool) {
    switch ValueText(value[...]) {
    case .string(let text):
      self = .besideText(SoughtText(Array(text), isCaseSensitive: isCaseSensitive), side)
    case .number(let number): self = .besideNumber(Array(number), side)
    case .other: preconditionFailure("only a number or a string has something above or below it")
    }
  }

  /// Returns true if a JSON value passes the test.
  func matches(
    value: ArraySlice<UInt8>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Bool {
    if case .equalsValue(let canonical) = self {
      return try canonical.equals(value, counting: count)
    }
    return switch ValueText(value) {
    case .string(let text): try matches(text: text, counting: count)
    case .number(let number): try matches(number: number, counting: count)
    case .other: false
    }
  }

  /// Returns true if a text passes the test.
  func matches(
    text: ArraySlice<UInt8>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Bool {
    switch self {
    case .contains(let sought): try sought.isContained(in: text, counting: count)
    case .startsWith(let sought): try sought.isPrefix(of: text, counting: count)
    case .matches(let glob): try glob.matches(text, counting: count)
    case .equalsText(let sought): try sought.compared(to: text, counting: count) == 0
    case .besideText(let sought, let side):
      try sought.compared(to: text, counting: count) == (side == .above ? -1 : 1)
    case .equalsNumber, .equalsValue, .besideNumber: false
    }
  }

  private func matches(
    number: ArraySlice<UInt8>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Bool {
    switch self {
    case .contains(let sought): try sought.isContained(in: number, counting: count)
    case .startsWith(let sought): try sought.isPrefix(of: number, counting: count)
    case .matches(let glob): try glob.matches(number, counting: count)
    case .equalsNumber(let other): PredicateTarget.compare(other[...], number) == 0
    case .besideNumber(let other, let side):
      PredicateTarget.compare(other[...], number) == (side == .above ? -1 : 1)
    case .equalsText, .equalsValue, .besideText: false
    }
  }

  /// Returns -1, 0 or 1 as the first number is less than, equal to or greater than the second.
  private static func compare(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int? {
    guard let left = JSONNumber(left), let right = JSONNumber(right) else { return nil }
    return left.compared(to: right)
  }
}
