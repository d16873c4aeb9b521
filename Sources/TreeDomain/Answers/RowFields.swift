/// Which members of a row are wanted.
public struct RowFields: OptionSet, Hashable, Sendable {
  /// One bit for each member, in the order they are written.
  public let rawValue: UInt16

  /// Makes a set from its bits.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// The index among the visible rows.
  public static let index = RowFields(rawValue: 1 << 0)
  /// The node's key.
  public static let key = RowFields(rawValue: 1 << 1)
  /// The parent's key.
  public static let parent = RowFields(rawValue: 1 << 2)
  /// The depth.
  public static let depth = RowFields(rawValue: 1 << 3)
  /// The section's name, in a tree with sections.
  public static let section = RowFields(rawValue: 1 << 4)
  /// The index among the section's visible rows, in a tree with sections.
  public static let sectionRow = RowFields(rawValue: 1 << 5)
  /// The position among the siblings.
  public static let position = RowFields(rawValue: 1 << 6)
  /// How many siblings there are, with the node itself.
  public static let siblingCount = RowFields(rawValue: 1 << 7)
  /// Whether the node is expanded.
  public static let expanded = RowFields(rawValue: 1 << 8)
  /// What is known about its children.
  public static let childState = RowFields(rawValue: 1 << 9)
  /// How many children it has.
  public static let childCount = RowFields(rawValue: 1 << 10)
  /// How many rows are below it.
  public static let visibleDescendantCount = RowFields(rawValue: 1 << 11)
  /// Whether it is selected.
  public static let selected = RowFields(rawValue: 1 << 12)
  /// Whether the filter matches it, while there is one.
  public static let matched = RowFields(rawValue: 1 << 13)
  /// The object.
  public static let object = RowFields(rawValue: 1 << 14)
  /// Every member there is.
  public static let all = RowFields(rawValue: 1 << 15 - 1)

  /// The names of the members, by bit.
  public static let names = [
    "index", "key", "parent", "depth", "section", "sectionRow", "position", "siblingCount",
    "expanded", "childState", "childCount", "visibleDescendantCount", "selected", "matched",
    "object",
  ]

  private static let nameBytes = names.map { Array($0.utf8)[...] }

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
      let bit = RowFields.nameBytes.firstIndex { $0.count == part.count && $0 == part }
      guard let bit, fields.insert(RowFields(rawValue: 1 << UInt16(bit))).inserted else {
        throw ServiceError(
          .invalidRequest,
          "fields must list some of \(RowFields.names.joined(separator: ",")), each once."
        )
      }
    }
    self = fields
  }
}
