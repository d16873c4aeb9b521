/// Which members of a row are wanted.
public struct RowFields: OptionSet, Hashable, Sendable {
  /// One bit for each member, in the order they are written.
  public let rawValue: UInt16

  /// Makes a set from its bits.
  @inlinable
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The index among the visible rows.
  @inlinable public static var index: RowFields { RowFields(rawValue: 1 << 0) }
  /// The node's key.
  @inlinable public static var key: RowFields { RowFields(rawValue: 1 << 1) }
  /// The parent's key.
  @inlinable public static var parent: RowFields { RowFields(rawValue: 1 << 2) }
  /// The depth.
  @inlinable public static var depth: RowFields { RowFields(rawValue: 1 << 3) }
  /// The section's name, in a tree with sections.
  @inlinable public static var section: RowFields { RowFields(rawValue: 1 << 4) }
  /// The index among the section's visible rows, in a tree with sections.
  @inlinable public static var sectionRow: RowFields { RowFields(rawValue: 1 << 5) }
  /// The position among the siblings.
  @inlinable public static var position: RowFields { RowFields(rawValue: 1 << 6) }
  /// How many siblings there are, with the node itself.
  @inlinable public static var siblingCount: RowFields { RowFields(rawValue: 1 << 7) }
  /// Whether the node is expanded.
  @inlinable public static var expanded: RowFields { RowFields(rawValue: 1 << 8) }
  /// What is known about its children.
  @inlinable public static var childState: RowFields { RowFields(rawValue: 1 << 9) }
  /// How many children it has.
  @inlinable public static var childCount: RowFields { RowFields(rawValue: 1 << 10) }
  /// How many rows are below it.
  @inlinable public static var visibleDescendantCount: RowFields { RowFields(rawValue: 1 << 11) }
  /// Whether it is selected.
  @inlinable public static var selected: RowFields { RowFields(rawValue: 1 << 12) }
  /// Whether the filter matches it, while there is one.
  @inlinable public static var matched: RowFields { RowFields(rawValue: 1 << 13) }
  /// The object.
  @inlinable public static var object: RowFields { RowFields(rawValue: 1 << 14) }
  /// Every member there is.
  @inlinable public static var all: RowFields { RowFields(rawValue: 1 << 15 - 1) }

  /// The names of the members, by bit.
  public static let names = [
    "index", "key", "parent", "depth", "section", "sectionRow", "position", "siblingCount",
    "expanded", "childState", "childCount", "visibleDescendantCount", "selected", "matched",
    "object",
  ]

  private static let table = NameTable(names)

  /// Makes a set of the member with a name; `nil` if no member has it.
  init?(named name: ArraySlice<UInt8>) {
    guard let bit = RowFields.table.place(of: name) else { return nil }
    self.init(rawValue: 1 << UInt16(bit))
  }

  /// Reads the value of the query parameter `fields`: names separated by commas.
  ///
  /// - Parameter list: The decoded value.
  /// - Throws: `invalid-request` when a name is none, comes twice, or the list is empty.
  public init(list: ArraySlice<UInt8>) throws(ServiceError) {
    var fields: RowFields = []
    var start = list.startIndex
    while start <= list.endIndex {
      let end = list[start...].firstIndex(of: UInt8(ascii: ",")) ?? list.endIndex
      let part = list[start..<end]
      start = end + 1
      guard let field = RowFields(named: part) else {
        let advice = NameAdvice.unknown("field", part, among: RowFields.names)
        throw ServiceError(.invalidRequest, "\(advice) Separate them by commas in fields.")
      }
      guard fields.insert(field).inserted else {
        throw ServiceError(.invalidRequest, "fields must name each field once.")
      }
    }
    self = fields
  }
}
