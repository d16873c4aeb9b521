/// The members of a value and of all nested objects, read in one pass.
///
/// Entries are in pre-order: an object is followed by its members. Arrays are not entered.
struct MemberTape {
  /// A member.
  ///
  /// The first entry is the whole value and has an empty name.
  struct Entry {
    /// The position of the member's name in the text.
    var name: JSONString
    /// The range of the value in the text.
    var value: Range<Int>
    /// True if the value is an object, whose members follow.
    var isObject: Bool
    /// The index of the next entry outside of this one.
    var next: Int
  }

  /// The whole text.
  let text: [UInt8]
  /// The entries, never empty.
  private(set) var entries: [Entry] = []

  /// Parses a text that contains exactly one value.
  ///
  /// - Throws: The first syntax fault.
  /// - Complexity: O(length of the text), without recursion.
  init(_ text: [UInt8], maxDepth: Int) throws(JSONError) {
    self.text = text
    var reader = JSONReader(text, maxDepth: maxDepth)
    var open: [Int] = []
    try append(JSONString(range: 0..<0, hasEscapes: false), &reader, &open)
    while let object = open.last {
      if let name = try reader.nextMember() {
        try append(name, &reader, &open)
      } else {
        open.removeLast()
        entries[object].value = entries[object].value.lowerBound..<reader.offset
        entries[object].next = entries.count
      }
    }
    try reader.finish()
  }

  /// Appends an entry for the next value.
  ///
  /// An object is entered, any other value is skipped.
  private mutating func append(
    _ name: JSONString,
    _ reader: inout JSONReader,
    _ open: inout [Int]
  ) throws(JSONError) {
    let isObject = try reader.peekKind() == .object
    let start = reader.offset
    if isObject {
      open.append(entries.count)
      try reader.beginObject()
    } else {
      _ = try reader.skipValue()
    }
    entries.append(
      Entry(
        name: name,
        value: start..<reader.offset,
        isObject: isObject,
        next: entries.count &+ 1
      )
    )
  }

  /// Returns the indexes of an object's direct members, in order; none if it is no object.
  func members(of object: Int) -> [Int] {
    guard entries[object].isObject else { return [] }
    var positions: [Int] = []
    var member = object &+ 1
    while member < entries[object].next {
      positions.append(member)
      member = entries[member].next
    }
    return positions
  }

  /// Returns a member's name, decoded.
  func name(of member: Int) -> [UInt8] {
    entries[member].name.decoded(from: text)
  }

  /// Returns true if a member's value is `null`.
  func isNull(_ member: Int) -> Bool {
    text[entries[member].value.lowerBound] == Ascii.n
  }

  /// Returns a member's name as written, with its quotes.
  func writtenName(of member: Int) -> ArraySlice<UInt8> {
    let range = entries[member].name.range
    return text[(range.lowerBound &- 1)...range.upperBound]
  }

  /// Returns a member's value as written.
  func value(of member: Int) -> ArraySlice<UInt8> {
    text[entries[member].value]
  }
}
