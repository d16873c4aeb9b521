import JSON
import TreeEngine

extension BodyDecoder {
  /// Reads the member `keys` with the fast reader, if it comes next with 1 to 16 distinct keys.
  ///
  /// - Returns: `false` for anything else. Nothing has changed then.
  mutating func parseKeys(
    _ fields: inout OperationFields,
    from place: inout MemberPlace,
    _ text: Span<UInt8>
  ) -> Bool {
    let position = OperationField.keys.position
    var quick = QuickReader(at: place.offset)
    guard !place.isAtFirst, quick.pass(#","keys":["#, text), !fields.seen.contains(position) else {
      return false
    }
    let start = keys.count
    guard quick.passList(text, { parseKey(&$0, text, after: start) }) else {
      keys.removeSubrange(start...)
      return false
    }
    fields.keys = PackedRange(start..<keys.count)
    _ = fields.seen.insert(position)
    place = MemberPlace(offset: quick.offset, isAtFirst: false)
    return true
  }

  /// Reads a key that differs from all keys of the current list, which starts at a position.
  private mutating func parseKey(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    after start: Int
  ) -> Bool {
    quick.passSpace(text)
    guard keys.count - start < 16, let key = quick.key(text, cursor.limits) else { return false }
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
