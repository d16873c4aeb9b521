import JSON
import TreeEngine

extension QuickReader {
  /// Reads a number of levels, or the word `all`.
  @inline(__always)
  mutating func levels(_ text: Span<UInt8>) -> Levels? {
    if let count = integer(text) { return count > 0 ? .count(count) : nil }
    guard let word = word(text), case "all" = word else { return nil }
    return .all
  }

  /// Reads the key of a node.
  @inline(__always)
  mutating func key(_ text: Span<UInt8>, _ limits: DecodingLimits) -> ByteSlice? {
    guard let range = string(text), 1...limits.maxKeyBytes ~= range.count else { return nil }
    // The key of a new node must not have the segments `.` and `..`. Only the careful reader knows
    // which nodes are new.
    var former = UInt8(ascii: "/")
    for place in range {
      if former == UInt8(ascii: "/"), text[place] == UInt8(ascii: ".") { return nil }
      former = text[place]
    }
    return ByteSlice(range)
  }

  /// Reads a reference to a parent.
  @inline(__always)
  mutating func parent(_ text: Span<UInt8>, _ limits: DecodingLimits) -> ParentReference? {
    if null(text) { return .root }
    return key(text, limits).map { .node($0) }
  }

  /// Reads the name of a section.
  @inline(__always)
  mutating func sectionName(_ text: Span<UInt8>) -> ByteSlice? {
    guard let range = string(text), range.count <= SectionRules.maxNameBytes else { return nil }
    return ByteSlice(range)
  }

  /// Reads an object or a merge patch.
  @inline(__always)
  mutating func rawValue(
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> ByteSlice? {
    let range = value(text, maxDepth: limits.maxJSONDepth)
    guard let range, range.count <= limits.maxObjectBytes else { return nil }
    return ByteSlice(range)
  }

  /// Reads the word `unloaded`, or `null` for a leaf.
  ///
  /// The offset does not change for any other value.
  @inline(__always)
  mutating func unlistedChildren(_ text: Span<UInt8>) -> ChildState? {
    if null(text) { return .leaf }
    let start = offset
    guard let word = word(text), case "unloaded" = word else {
      offset = start
      return nil
    }
    return .unloaded
  }

  /// Reads an empty list of children.
  @inline(__always)
  mutating func emptyList(_ text: Span<UInt8>) -> ChildState? {
    pass(UInt8(ascii: "["), text) && pass(UInt8(ascii: "]"), text) ? .loaded : nil
  }
}
