/// Patterns of `*`, `?`, `[…]` and `\`, matched by trying every possibility.
enum Glob {
  typealias Scalars = [Unicode.Scalar]

  /// Returns true if the pattern matches the whole text.
  static func matches(_ pattern: Scalars, _ text: Scalars) -> Bool {
    matches(pattern[...], text[...])
  }

  private static func matches(
    _ pattern: ArraySlice<Unicode.Scalar>,
    _ text: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "*":
      return matches(rest, text) || (!text.isEmpty && matches(pattern, text.dropFirst()))
    case "?": return !text.isEmpty && matches(rest, text.dropFirst())
    case "[":
      guard let set = set(rest) else { return literal(first, rest, text) }
      guard let scalar = text.first, set.contains(scalar) else { return false }
      return matches(set.rest, text.dropFirst())
    case "\\":
      guard let escaped = rest.first else { return literal(first, rest, text) }
      return literal(escaped, rest.dropFirst(), text)
    default: return literal(first, rest, text)
    }
  }

  private static func literal(
    _ scalar: Unicode.Scalar,
    _ rest: ArraySlice<Unicode.Scalar>,
    _ text: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    text.first == scalar && matches(rest, text.dropFirst())
  }

  private struct ScalarSet {
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var isNegated = false
    var rest: ArraySlice<Unicode.Scalar> = []

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      ranges.contains { $0.contains(scalar) } != isNegated
    }
  }

  /// Parses a set after its opening bracket; returns nil if it is not closed.
  private static func set(_ pattern: ArraySlice<Unicode.Scalar>) -> ScalarSet? {
    var set = ScalarSet()
    var rest = pattern
    if rest.first == "!" {
      set.isNegated = true
      rest = rest.dropFirst()
    }
    while let scalar = rest.popFirst() {
      if scalar == "]" {
        set.rest = rest
        return set
      }
      var last = scalar
      if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
        last = end
        rest = rest.dropFirst(2)
      }
      if scalar <= last { set.ranges.append(scalar...last) }
    }
    return nil
  }
}
