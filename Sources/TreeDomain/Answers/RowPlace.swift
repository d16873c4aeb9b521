public import JSON

/// What places a row, and the one way in which rows are written.
///
/// A page is mostly rows of which no more is wanted than this and their strings, so that all of it
/// is inlined into the loop that writes them.
public struct RowPlace: Equatable, Sendable {
  /// The position among the visible rows; `nil` while hidden, or where nobody asks.
  public var index: Int?
  /// 0 at a root.
  public var depth: Int
  /// The position among the visible rows of the section; `nil` while hidden, without sections, or
  /// where nobody asks.
  public var sectionRow: Int?

  /// Makes a place.
  @inlinable
  public init(index: Int?, depth: Int, sectionRow: Int?) {
    self.index = index
    self.depth = depth
    self.sectionRow = sectionRow
  }

  /// Puts a row as an object into room that is there.
  ///
  /// - Parameters:
  ///   - out: The room.
  ///   - i: Where the object goes, and then its end.
  ///   - key: The node's key.
  ///   - parent: The parent's key; `nil` at a root.
  ///   - section: The name of the section.
  ///   - object: The object, raw JSON.
  ///   - fields: The members to write; the strings of others are not looked at.
  ///   - standing: Puts the members that the place does not tell.
  @inlinable
  @inline(__always)
  public func put(
    to out: inout MutableSpan<UInt8>,
    _ i: inout Int,
    key: Span<UInt8>,
    parent: Span<UInt8>?,
    section: Span<UInt8>,
    object: Span<UInt8>,
    _ fields: RowFields,
    standing: (_ out: inout MutableSpan<UInt8>, _ i: inout Int) -> Void = { _, _ in }
  ) {
    out.putObject(&i) { out, i in
      if fields.contains(.index) {
        out.put(#","index":"#, &i)
        out.put(orNull: index, &i)
      }
      if fields.contains(.key) {
        out.put(#","key":"#, &i)
        out.put(string: key, &i)
      }
      if fields.contains(.parent) {
        out.put(#","parent":"#, &i)
        if let parent { out.put(string: parent, &i) } else { out.put("null", &i) }
      }
      if fields.contains(.depth) {
        out.put(#","depth":"#, &i)
        out.put(depth, &i)
      }
      if fields.contains(.section) {
        out.put(#","section":"#, &i)
        out.put(string: section, &i)
      }
      if fields.contains(.sectionRow) {
        out.put(#","sectionRow":"#, &i)
        out.put(orNull: sectionRow, &i)
      }
      standing(&out, &i)
      if fields.contains(.object) {
        out.put(#","object":"#, &i)
        out.put(json: object, &i)
      }
    }
  }
}
