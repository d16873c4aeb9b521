public import JSON

/// The place of a row, and the only writer of rows.
///
/// Most rows of a page are written from their place and strings alone, without a ``Row``. So the
/// writer is inlined into the loop over the rows.
public struct RowPlace: Equatable, Sendable {
  /// The position among the visible rows; `nil` while hidden or not requested.
  public var index: Int?
  /// The depth.
  ///
  /// A root has 0.
  public var depth: Int
  /// The position among the visible rows of the section; `nil` while hidden, without sections, or
  /// not requested.
  public var sectionRow: Int?

  /// Makes a place.
  @inlinable
  public init(index: Int?, depth: Int, sectionRow: Int?) {
    self.index = index
    self.depth = depth
    self.sectionRow = sectionRow
  }

  /// Writes a row as an object.
  ///
  /// - Parameters:
  ///   - out: The output.
  ///   - key: The node's key.
  ///   - parent: The parent's key; `nil` at a root.
  ///   - section: The name of the section.
  ///   - object: The object, raw JSON.
  ///   - fields: The members to write. The strings of other members are not read.
  ///   - row: The source of members that a place does not have; `nil` if none is wanted.
  @inlinable
  @inline(always)
  public func put(
    to out: inout JSONRoom,
    key: Span<UInt8>,
    parent: Span<UInt8>?,
    section: Span<UInt8>,
    object: Span<UInt8>,
    _ fields: RowFields,
    standing row: Row? = nil
  ) {
    out.putObject { out in
      if fields.contains(.index) {
        out.put(#","index":"#)
        out.put(orNull: index)
      }
      if fields.contains(.key) {
        out.put(#","key":""#, string: key)
      }
      if fields.contains(.parent) {
        out.put(#","parent":"#)
        if let parent { out.put(string: parent) } else { out.put("null") }
      }
      if fields.contains(.depth) {
        out.put(#","depth":"#, depth)
      }
      if fields.contains(.section) {
        out.put(#","section":""#, string: section)
      }
      if fields.contains(.sectionRow) {
        out.put(#","sectionRow":"#)
        out.put(orNull: sectionRow)
      }
      if let row, !fields.isDisjoint(with: .standing) { row.putPosition(&out, fields) }
      if fields.contains(.object) {
        out.put(#","object":"#, json: object)
      }
    }
  }
}
