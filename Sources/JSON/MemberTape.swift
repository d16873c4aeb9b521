/// The members of a value and of the objects inside it, read in one pass.
///
/// Entries stand in pre-order; the members of an object follow it. Arrays are not looked into.
struct MemberTape {
  /// One member; the first entry is the whole value and has no name.
  struct Entry {
    /// The member's name.
    var name: JSONString
    /// Where the value stands.
    var value: Range<Int>
    /// Whether the value is an object, so that its members follow.
    var isObject: Bool
    /// The position behind this entry and everything inside it.
    var next: Int
  }

  /// The text that was read.
  let text: [UInt8]
  /// The entries, never empty.
  private(set) var entries: [Entry] = []

  /// Reads a text that holds one value and nothing else.
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

  /// Adds the value that comes next; an object is only entered.
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

  /// The positions of an object's members, in their order.
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

  /// A member's name, decoded.
  func name(of member: Int) -> [UInt8] {
    entries[member].name.decoded(from: text)
  }

  /// Whether the value is the literal `null`.
  func isNull(_ member: Int) -> Bool {
    text[entries[member].value.lowerBound] == Ascii.n
  }

  /// The name as it was written, with its quotes.
  func writtenName(of member: Int) -> ArraySlice<UInt8> {
    let range = entries[member].name.range
    return text[(range.lowerBound &- 1)...range.upperBound]
  }

  /// The value as it was written.
  func value(of member: Int) -> ArraySlice<UInt8> {
    text[entries[member].value]
  }
}
