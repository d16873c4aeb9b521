/// A filter of a session, which selects nodes. Their ancestors are shown, too.
package indirect enum ModelFilter: Sendable, Equatable {
  /// The tests of a value.
  package enum Test: String, CaseIterable, Sendable {
    case equals, contains, startsWith, matches, above, below
  }

  /// A test of the value at a JSON Pointer, or of the key with "#key"; `operand` is JSON text.
  case value(by: String, Test, operand: String, caseSensitive: Bool)
  case all([ModelFilter])
  case any([ModelFilter])
  case not(ModelFilter)

  /// The filter as JSON.
  package var json: [UInt8] {
    switch self {
    case .value(let by, let test, let operand, let caseSensitive):
      JSONText.object(
        [("by", JSONText.string(by)), (test.rawValue, Array(operand.utf8))]
          + (caseSensitive ? [("caseSensitive", JSONText.bool(true))] : [])
      )
    case .all(let filters): JSONText.object([("all", JSONText.array(filters.map(\.json)))])
    case .any(let filters): JSONText.object([("any", JSONText.array(filters.map(\.json)))])
    case .not(let filter): JSONText.object([("not", filter.json)])
    }
  }

  /// Returns true if the filter selects a node.
  func matches(_ node: ModelNode) -> Bool {
    switch self {
    case .all(let filters): return filters.allSatisfy { $0.matches(node) }
    case .any(let filters): return filters.contains { $0.matches(node) }
    case .not(let filter): return !filter.matches(node)
    case .value(let by, let test, let operand, let caseSensitive):
      guard let value = node.subject.value(by), let operand = try? RawJSON(parsing: operand) else {
        return false
      }
      let fold = { (text: [UInt8]) in caseSensitive ? text : Folding.folded(text) }
      return test.holds(value, operand, fold)
    }
  }
}

extension ModelFilter.Test {
  fileprivate func holds(
    _ value: RawJSON,
    _ operand: RawJSON,
    _ fold: ([UInt8]) -> [UInt8]
  ) -> Bool {
    switch self {
    case .equals: return value.equals(operand, fold)
    case .above: return value.order(operand, fold).map { $0 > 0 } ?? false
    case .below: return value.order(operand, fold).map { $0 < 0 } ?? false
    case .contains, .startsWith, .matches: break
    }
    guard let text = value.searchedText.map(fold), let wanted = operand.key.map({ fold($0.bytes) })
    else { return false }
    return switch self {
    case .contains: text.contains(run: wanted)
    case .startsWith: text.starts(with: wanted)
    default: Glob.matches(Array(scalars(wanted)), Array(scalars(text)))
    }
  }

  private func scalars(_ text: [UInt8]) -> String.UnicodeScalarView {
    String(decoding: text, as: UTF8.self).unicodeScalars
  }
}

extension RawJSON {
  /// The text for text tests: a string, or a number as written; nil for other values.
  var searchedText: [UInt8]? {
    switch kind {
    case .string(let text): text
    case .number: bytes
    case .null, .bool, .array, .object: nil
    }
  }

  /// All strings in the value, at any depth.
  var strings: [[UInt8]] {
    switch kind {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.strings)
    case .object(let members): members.flatMap(\.value.strings)
    case .null, .bool, .number: []
    }
  }

  /// Returns true if two values are equal: numbers by value, members in any order.
  fileprivate func equals(_ other: RawJSON, _ fold: ([UInt8]) -> [UInt8]) -> Bool {
    switch (kind, other.kind) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number, .number): return order(other, fold) == 0
    case (.string(let left), .string(let right)): return fold(left) == fold(right)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.equals($1, fold) }
    case (.object(let left), .object(let right)):
      let names = Set(left.map(\.name))
      return names == Set(right.map(\.name))
        && names.allSatisfy { name in
          guard let mine = self[name], let yours = other[name] else { return false }
          return mine.equals(yours, fold)
        }
    default: return false
    }
  }

  /// Compares two numbers or two strings. Returns a number below, equal to or above zero, or nil
  /// for other values.
  fileprivate func order(_ other: RawJSON, _ fold: ([UInt8]) -> [UInt8]) -> Int? {
    switch (kind, other.kind) {
    case (.number, .number):
      let (left, right) = (DecimalNumber(text: text), DecimalNumber(text: other.text))
      return left < right ? -1 : (right < left ? 1 : 0)
    case (.string(let left), .string(let right)):
      let (left, right) = (fold(left), fold(right))
      if left == right { return 0 }
      return left.lexicographicallyPrecedes(right) ? -1 : 1
    default: return nil
    }
  }
}

/// Case folding.
enum Folding {
  /// Returns the text with the lower-case mapping of each scalar.
  static func folded(_ text: [UInt8]) -> [UInt8] {
    String(decoding: text, as: UTF8.self).unicodeScalars
      .flatMap { Array($0.properties.lowercaseMapping.utf8) }
  }
}

extension [UInt8] {
  /// Returns true if the bytes contain the given run.
  func contains(run wanted: [UInt8]) -> Bool {
    count >= wanted.count
      && (0...count - wanted.count).contains { self[$0...].starts(with: wanted) }
  }
}
