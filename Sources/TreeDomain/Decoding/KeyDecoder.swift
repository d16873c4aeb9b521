import JSON
import TreeEngine

/// The keys of operations that can name several nodes, which are read from a body's cursor.
struct KeyDecoder {
  /// The keys read so far.
  private(set) var keys: [ByteSlice] = []

  /// Appends a single key and returns its range.
  mutating func append(_ key: ByteSlice) -> PackedRange {
    keys.append(key)
    return PackedRange(offset: keys.count - 1, count: 1)
  }

  /// Removes the keys from a position on.
  mutating func removeKeys(from position: Int) { keys.removeSubrange(position...) }

  /// Reads a list of one or more distinct keys and returns its range in ``keys``.
  mutating func readDistinct(_ cursor: inout BodyCursor) throws(ServiceError) -> PackedRange {
    let start = keys.count
    // These are copies. Slices would share the buffer, and each string with escapes would copy it.
    var known: Set<[UInt8]> = []
    try cursor.beginArray()
    while try cursor.nextElement() {
      let key = try cursor.readKey()
      guard known.insert(Array(cursor.bytes(of: key))).inserted else {
        throw cursor.invalid("This key comes twice; name each node once.")
      }
      keys.append(key)
    }
    guard keys.count > start else {
      throw cursor.invalid("The list is empty; name at least one node.")
    }
    return PackedRange(start..<keys.count)
  }

  /// Reads a list of 1 to 16 distinct keys with the fast reader, after its opening bracket.
  ///
  /// - Returns: The range in ``keys``. Nil for anything else; no key was appended then.
  mutating func parseList(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> PackedRange? {
    let start = keys.count
    guard quick.passList(text, { parseKey(&$0, text, limits, after: start) }) else {
      keys.removeSubrange(start...)
      return nil
    }
    return PackedRange(start..<keys.count)
  }

  /// Reads a key that differs from all keys of the current list, which starts at a position.
  private mutating func parseKey(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits,
    after start: Int
  ) -> Bool {
    quick.passSpace(text)
    guard keys.count - start < 16, let key = quick.key(text, limits) else { return false }
    for other in keys[start...] where text.hasSameBytes(key, other) { return false }
    keys.append(key)
    return true
  }
}

extension Span<UInt8> {
  /// Returns true if two slices of a text have the same bytes.
  fileprivate func hasSameBytes(_ left: ByteSlice, _ right: ByteSlice) -> Bool {
    guard left.count == right.count else { return false }
    for i in 0..<left.count where self[left.offset + i] != self[right.offset + i] { return false }
    return true
  }
}
