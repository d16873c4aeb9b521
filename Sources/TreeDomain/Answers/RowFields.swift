/// A set of members of a row.
public struct RowFields: OptionSet, Hashable, Sendable {
  /// The bits, one for each member in the order of writing.
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
  /// The number of siblings, with the node.
  @inlinable public static var siblingCount: RowFields { RowFields(rawValue: 1 << 7) }
  /// True if the node is expanded.
  @inlinable public static var expanded: RowFields { RowFields(rawValue: 1 << 8) }
  /// The state of the children.
  @inlinable public static var childState: RowFields { RowFields(rawValue: 1 << 9) }
  /// The number of children.
  @inlinable public static var childCount: RowFields { RowFields(rawValue: 1 << 10) }
  /// The number of visible descendants.
  @inlinable public static var visibleDescendantCount: RowFields { RowFields(rawValue: 1 << 11) }
  /// True if the node is selected.
  @inlinable public static var selected: RowFields { RowFields(rawValue: 1 << 12) }
  /// True if the filter matches the node, while there is a filter.
  @inlinable public static var matched: RowFields { RowFields(rawValue: 1 << 13) }
  /// The object.
  @inlinable public static var object: RowFields { RowFields(rawValue: 1 << 14) }
  /// All members.
  @inlinable public static var all: RowFields { RowFields(rawValue: 1 << 15 - 1) }

  /// The names of the members, in the order of their bits.
  public static let names = [
    "index", "key", "parent", "depth", "section", "sectionRow", "position", "siblingCount",
    "expanded", "childState", "childCount", "visibleDescendantCount", "selected", "matched",
    "object",
  ]

  private static let table = NameTable(names)

  /// Makes a set of one member; `nil` if no member has the name.
  init?(named name: ArraySlice<UInt8>) {
    guard let bit = RowFields.table.place(of: name) else { return nil }
    self.init(rawValue: 1 << UInt16(bit))
  }

  /// Reads the value of the query parameter `fields`: names separated by commas.
  ///
  /// - Parameter list: The decoded value.
  /// - Throws: `invalid-request` for an unknown or repeated name and for an empty list.
  package init(list: ArraySlice<UInt8>) throws(ServiceError) {
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
