import JSON

/// A JSON value in a canonical form, which is the same for all equal values.
///
/// Members of objects are sorted by name, and the last of duplicates counts. Numbers are written by
/// value. Strings are written by text, lower-cased unless case matters.
struct CanonicalValue: Equatable, Sendable {
  private let kind: JSONKind?
  private let bytes: [UInt8]
  private let isCaseSensitive: Bool

  /// Makes the canonical form.
  ///
  /// Precondition: the value is valid JSON.
  init(_ value: [UInt8], isCaseSensitive: Bool) {
    kind = CanonicalValue.kind(of: value[...])
    bytes = CanonicalWriting.canonical(value, isCaseSensitive: isCaseSensitive)
    self.isCaseSensitive = isCaseSensitive
  }

  /// Returns true if another valid value is equal.
  ///
  /// - Complexity: O(*n* log *n*) in its length for each level of nesting if the kinds are the
  ///   same. Otherwise O(1).
  func equals(_ other: ArraySlice<UInt8>) -> Bool {
    CanonicalValue.kind(of: other) == kind
      && CanonicalWriting.canonical(Array(other), isCaseSensitive: isCaseSensitive) == bytes
  }

  private static func kind(of value: ArraySlice<UInt8>) -> JSONKind? {
    value.first { $0 > 0x20 }.flatMap(JSONKind.init(firstByte:))
  }
}
