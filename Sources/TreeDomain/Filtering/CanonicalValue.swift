import JSON

/// The operand of a comparison with JSON values: numbers by value, objects in any order of members.
///
/// Of duplicate members the last counts. Texts are compared without case unless it matters.
struct CanonicalValue: Equatable, Sendable {
  /// The first byte of a value, and whether it is a container that is not empty.
  ///
  /// Most values differ from the operand in it, and need no hash.
  private struct Beginning: Equatable {
    let byte: UInt8?
    let hasContents: Bool

    init(_ value: ArraySlice<UInt8>) {
      let tokens = value.lazy.filter { $0 > 0x20 }.prefix(2)
      byte = tokens.first
      switch byte {
      case UInt8(ascii: "["): hasContents = tokens.last != UInt8(ascii: "]")
      case UInt8(ascii: "{"): hasContents = tokens.last != UInt8(ascii: "}")
      default: hasContents = false
      }
    }
  }

  private let beginning: Beginning
  private let hash: UInt128
  private let isCaseSensitive: Bool

  /// Prepares a comparison with a literal, an array or an object.
  ///
  /// - Precondition: The value is valid JSON, and neither a string nor a number.
  init(_ value: [UInt8], isCaseSensitive: Bool) {
    beginning = Beginning(value[...])
    hash = CanonicalHashing.hash(of: value, ignoringCase: !isCaseSensitive)
    self.isCaseSensitive = isCaseSensitive
  }

  /// Returns true if another valid value is equal.
  ///
  /// - Throws: The errors of `count`, before the value is read.
  /// - Complexity: O(*n* log *n*) in its length for two containers that are not empty. Otherwise
  ///   the length of the white space.
  func equals(
    _ other: ArraySlice<UInt8>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Bool {
    guard Beginning(other) == beginning else { return false }
    guard beginning.hasContents else { return true }
    // Hashing eight bytes takes about as long as one step.
    try count(other.count / 8)
    return CanonicalHashing.hash(of: Array(other), ignoringCase: !isCaseSensitive) == hash
  }
}
