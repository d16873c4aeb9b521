import TestSupport

/// A filter that is evaluated by its definition on a parsed object.
struct NaiveFilter {
  let json: RawJSON

  func matches(key: String, object: RawJSON) -> Bool {
    if let all = json["all"]?.elements {
      return all.allSatisfy { NaiveFilter(json: $0).matches(key: key, object: object) }
    }
    if let any = json["any"]?.elements {
      return any.contains { NaiveFilter(json: $0).matches(key: key, object: object) }
    }
    if let not = json["not"] { return !NaiveFilter(json: not).matches(key: key, object: object) }
    guard let value = value(key, object) else { return false }
    return passes(value)
  }

  private var isCaseSensitive: Bool { json["caseSensitive"]?.bool ?? false }

  private func value(_ key: String, _ object: RawJSON) -> RawJSON? {
    guard let by = json["by"]?.string else { return nil }
    if by == "#key" { return try? RawJSON(parsing: JSONText.string(key)) }
    var value: RawJSON? = object
    for token in by.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = token.replacing("~1", with: "/").replacing("~0", with: "~")
      if let elements = value?.elements {
        let index = Int(name) ?? -1
        value = elements.indices.contains(index) && "\(index)" == name ? elements[index] : nil
      } else {
        value = value?[String(name)]
      }
    }
    return value
  }

  private func passes(_ value: RawJSON) -> Bool {
    if let other = json["equals"] { return isEqual(value, other) }
    if let other = json["above"] { return isOrdered(other, value) }
    if let other = json["below"] { return isOrdered(value, other) }
    guard let text = text(of: value) else { return false }
    if let part = json["contains"]?.string { return contains(text, fold(part)) }
    if let start = json["startsWith"]?.string { return text.starts(with: fold(start)) }
    if let pattern = json["matches"]?.string { return glob(fold(pattern)[...], text[...]) }
    return false
  }

  /// Returns the text of a string, or of a number as written, lower-cased unless case matters.
  private func text(of value: RawJSON) -> [Unicode.Scalar]? {
    switch value.kind {
    case .string: value.string.map(fold)
    case .number: fold(value.text)
    default: nil
    }
  }

  private func fold(_ text: String) -> [Unicode.Scalar] {
    guard !isCaseSensitive else { return Array(text.unicodeScalars) }
    return text.unicodeScalars.flatMap { Array($0.properties.lowercaseMapping.unicodeScalars) }
  }

  private func isEqual(_ left: RawJSON, _ right: RawJSON) -> Bool {
    switch (left.kind, right.kind) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number, .number): number(left.text) == number(right.text)
    case (.string, .string): left.string.map(fold) == right.string.map(fold)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy(isEqual)
    case (.object, .object):
      Set(left.memberNames) == Set(right.memberNames)
        && left.memberNames.allSatisfy { name in
          guard let left = left[name], let right = right[name] else { return false }
          return isEqual(left, right)
        }
    default: false
    }
  }

  private func isOrdered(_ left: RawJSON, _ right: RawJSON) -> Bool {
    switch (left.kind, right.kind) {
    case (.number, .number): return number(left.text) < number(right.text)
    case (.string, .string):
      guard let left = left.string.map(fold), let right = right.string.map(fold) else {
        return false
      }
      return left.lexicographicallyPrecedes(right)
    default: return false
    }
  }

  private func contains(_ text: [Unicode.Scalar], _ part: [Unicode.Scalar]) -> Bool {
    text.indices.contains { text[$0...].starts(with: part) } || part.isEmpty
  }

  /// Tries all ways to match a pattern.
  private func glob(
    _ pattern: ArraySlice<Unicode.Scalar>,
    _ text: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if first == "*" {
      return (text.startIndex...text.endIndex).contains { glob(rest, text[$0...]) }
    }
    guard let next = text.first else { return false }
    if first == "?" { return glob(rest, text.dropFirst()) }
    if first == "\\", let literal = rest.first {
      return literal == next && glob(rest.dropFirst(), text.dropFirst())
    }
    if first == "[", let (isMember, behind) = set(rest, next) {
      return isMember && glob(behind, text.dropFirst())
    }
    return first == next && glob(rest, text.dropFirst())
  }

  /// Returns whether a set contains a scalar, and the rest of the pattern; `nil` without a `]`.
  private func set(
    _ pattern: ArraySlice<Unicode.Scalar>,
    _ next: Unicode.Scalar
  ) -> (Bool, ArraySlice<Unicode.Scalar>)? {
    var rest = pattern
    let isNegated = rest.first == "!"
    if isNegated { rest = rest.dropFirst() }
    var isFirst = true
    var isMember = false
    while let low = rest.popFirst() {
      if low == "]", !isFirst { return (isMember != isNegated, rest) }
      isFirst = false
      let start = low == "\\" ? rest.popFirst() ?? low : low
      var end = start
      if rest.first == "-", let high = rest.dropFirst().first, high != "]" {
        rest = rest.dropFirst(2)
        end = high == "\\" ? rest.popFirst() ?? high : high
      }
      if start <= next, next <= end { isMember = true }
    }
    return nil
  }
}

/// Returns the value of a number that fits into a `Double`.
private func number(_ text: String) -> Double { Double(text) ?? .nan }
