import JSON

/// A JSON value in the one form that all equal values have.
///
/// Members of objects are sorted by name, of those that come twice the last counts; numbers are
/// written by value, strings by text, folded unless case matters.
struct CanonicalValue: Equatable, Sendable {
  private let kind: JSONKind?
  private let bytes: [UInt8]
  private let isCaseSensitive: Bool

  /// Takes a valid value.
  init(_ value: [UInt8], isCaseSensitive: Bool) {
    kind = CanonicalValue.kind(of: value[...])
    bytes = CanonicalWriting.canonical(value, isCaseSensitive: isCaseSensitive)
    self.isCaseSensitive = isCaseSensitive
  }

  /// Whether another valid value is equal.
  ///
  /// - Complexity: O(*n* log *n*) in its length for each level it is nested, where its kind is
  ///   the same; else O(1).
  func equals(_ other: ArraySlice<UInt8>) -> Bool {
    CanonicalValue.kind(of: other) == kind
      && CanonicalWriting.canonical(Array(other), isCaseSensitive: isCaseSensitive) == bytes
  }

  private static func kind(of value: ArraySlice<UInt8>) -> JSONKind? {
    value.first { $0 > 0x20 }.flatMap(JSONKind.init(firstByte:))
  }
}
