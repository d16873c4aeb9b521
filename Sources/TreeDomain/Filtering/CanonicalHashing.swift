import JSON

/// Computes a hash of a value that is the same for all equal values, in one pass.
///
/// Members of objects are hashed in the order of their names' hashes, and the last of duplicates
/// counts. Hashes are keyed with a secret of the process and have 128 bits. So two different values
/// with the same hash are neither met by chance nor made by a client.
struct CanonicalHashing {
  /// A member of an object, by its hashes.
  private struct Member {
    let name: UInt128
    var value: UInt128 = 0
  }

  /// An array or object that is being read.
  private enum Open {
    case array
    /// An object, with the hasher of what surrounds it and the index of its first member.
    case object(outer: Hasher, first: Int)
  }

  private let ignoresCase: Bool
  private var reader: JSONReader
  /// The hasher of the current member of the innermost object, or of the whole value.
  private var hasher = Hasher()
  private var open: [Open] = []
  /// The members of all open objects, outermost first.
  private var members: [Member] = []
  /// A number's key, kept so that its memory is used again.
  private var number: [UInt8] = []

  /// Returns the hash of a valid value.
  ///
  /// - Complexity: O(*n* log *n*) in the length of the value, without recursion.
  static func hash(of value: [UInt8], ignoringCase ignoresCase: Bool) -> UInt128 {
    let reader = JSONReader(value, maxDepth: .max)
    var hashing = CanonicalHashing(ignoresCase: ignoresCase, reader: reader)
    do throws(JSONError) {
      return try hashing.run()
    } catch {
      preconditionFailure("the value was not valid JSON")
    }
  }

  private mutating func run() throws(JSONError) -> UInt128 {
    try begin()
    while let container = open.last {
      switch container {
      case .array:
        if try reader.nextElement() {
          try begin()
        } else {
          hasher.combine(UInt8(ascii: "]"))
          open.removeLast()
        }
      case .object(let outer, let first):
        if members.count > first { members[members.count - 1].value = Self.hash(hasher) }
        hasher = Hasher()
        if let name = try reader.nextMember() {
          add(name, ignoringCase: false)
          members.append(Member(name: Self.hash(hasher)))
          hasher = Hasher()
          try begin()
        } else {
          close(first, inside: outer)
        }
      }
    }
    return Self.hash(hasher)
  }

  /// Hashes a scalar value, or enters a container.
  private mutating func begin() throws(JSONError) {
    switch try reader.peekKind() {
    case .object:
      try reader.beginObject()
      open.append(.object(outer: hasher, first: members.count))
    case .array:
      try reader.beginArray()
      open.append(.array)
      hasher.combine(UInt8(ascii: "["))
    case .string:
      hasher.combine(UInt8(ascii: "\""))
      add(try reader.readString(), ignoringCase: ignoresCase)
    case .number:
      hasher.combine(UInt8(ascii: "0"))
      number.removeAll(keepingCapacity: true)
      JSONNumber(reader.bytes[try reader.skipValue()])?.appendOrdered(to: &number)
      add(number[...], ignoringCase: false)
    case .boolean, .null:
      hasher.combine(reader.bytes[try reader.skipValue().lowerBound])
    }
  }

  /// Leaves the innermost container, an object, and hashes it.
  private mutating func close(_ first: Int, inside outer: Hasher) {
    // Sorting is stable, so the last of duplicates stays the last.
    members[first...].sort { $0.name < $1.name }
    for i in first..<members.count {
      let next = i + 1
      if next < members.count, members[next].name == members[i].name { continue }
      hasher.combine(members[i].name)
      hasher.combine(members[i].value)
    }
    let hash = Self.hash(hasher)
    members.removeSubrange(first...)
    open.removeLast()
    hasher = outer
    hasher.combine(UInt8(ascii: "{"))
    hasher.combine(hash)
  }

  private mutating func add(_ string: JSONString, ignoringCase: Bool) {
    var text = reader.bytes[string.range]
    if string.hasEscapes { text = string.decoded(from: reader.bytes)[...] }
    if ignoringCase, text.contains(where: { $0 >= 0x80 }) {
      text = TextOrder.lowercased(text)[...]
    }
    add(text, ignoringCase: ignoringCase)
  }

  /// Hashes bytes, with capital letters of ASCII as small ones if case is ignored.
  ///
  /// Eight bytes at once are measured faster than single ones.
  private mutating func add(_ text: ArraySlice<UInt8>, ignoringCase: Bool) {
    let bytes = text.span
    hasher.combine(bytes.count)
    let caseBit: UInt8 = ignoringCase ? 0x20 : 0
    var word: UInt64 = 0
    for i in bytes.indices {
      let byte = bytes[i]
      let folded = byte &- UInt8(ascii: "A") < 26 ? byte | caseBit : byte
      word = word << 8 | UInt64(folded)
      if i & 7 == 7 { hasher.combine(word) }
    }
    // The first bytes of the word may have been hashed before, which does no harm.
    hasher.combine(word)
  }

  /// Returns 128 bits: the results of two ends of the same state.
  private static func hash(_ hasher: Hasher) -> UInt128 {
    var other = hasher
    other.combine(UInt8(1))
    return UInt128(UInt(bitPattern: hasher.finalize())) << 64
      | UInt128(UInt(bitPattern: other.finalize()))
  }
}
