/// A small table of names, each identified by its index.
///
/// Most names are distinguished by one comparison of their first eight bytes.
package struct NameTable: Sendable {
  private let names: [[UInt8]]
  /// The first eight bytes of each name, little-endian, padded with zeros.
  private let starts: [UInt64]

  /// Makes a table.
  ///
  /// - Precondition: The names are distinct.
  package init(_ names: [String]) {
    self.names = names.map { Array($0.utf8) }
    starts = self.names.map { Self.start(of: $0.span) }
  }

  /// Returns the index of a name, or nil.
  ///
  /// - Complexity: O(names).
  package func place(of name: ArraySlice<UInt8>) -> Int? {
    let sought = name.span
    let start = Self.start(of: sought)
    for place in starts.indices where starts[place] == start {
      if isName(at: place, sought) { return place }
    }
    return nil
  }

  private static func start(of name: Span<UInt8>) -> UInt64 {
    var word: UInt64 = 0
    var place = min(name.count, 8)
    while place > 0 {
      place &-= 1
      word = word &<< 8 | UInt64(name[place])
    }
    return word
  }

  private func isName(at place: Int, _ sought: Span<UInt8>) -> Bool {
    let name = names[place]
    guard name.count == sought.count else { return false }
    // The first eight bytes are equal.
    for index in name.indices.dropFirst(8) where name[index] != sought[index] { return false }
    return true
  }
}
