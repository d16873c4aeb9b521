/// A node as a session sees it.
///
/// A read may ask for some members only. The others then have the values of a leaf at the root.
public struct Row<Object: Decodable & Sendable>: Sendable, Identifiable {
  /// The position among all rows; nil while the node is hidden.
  public var index: Int?
  /// The key, which is unique in the tree.
  public var key: String
  /// The parent's key; nil at a root.
  public var parent: String?
  /// The number of ancestors: 0 at a root.
  public var depth = 0
  /// The section; nil in a tree without sections.
  public var section: String?
  /// The position among the rows of the section; nil while the node is hidden.
  public var sectionRow: Int?
  /// The position among the siblings; under a filter, among those that are rows.
  public var position: Int?
  /// The number of siblings, this node included.
  public var siblingCount: Int?
  /// True if the children are shown; false at a leaf.
  public var isExpanded = false
  /// The state of the children.
  public var childState = ChildState.leaf
  /// The number of children.
  ///
  /// It is a hint while they are not loaded; nil if unknown.
  public var childCount: Int?
  /// The number of rows below the node; 0 while it is collapsed.
  public var visibleDescendantCount: Int?
  /// True if the node is selected.
  public var isSelected = false
  /// True if the filter matches the node; nil without a filter.
  public var isMatched: Bool?
  /// The object that the node carries; nil for null.
  public var object: Object?

  /// The key.
  public var id: String { key }

  /// Makes a row for a preview or a test: a leaf, unless its members are set.
  public init(_ key: String, parent: String? = nil, depth: Int = 0, object: Object? = nil) {
    self.key = key
    self.parent = parent
    self.depth = depth
    self.object = object
  }

  /// Returns true if another row has the same members.
  ///
  /// Objects that are not `Equatable` count as different.
  func reads(as other: Row) -> Bool {
    index == other.index && key == other.key && parent == other.parent && depth == other.depth
      && section == other.section && sectionRow == other.sectionRow && position == other.position
      && siblingCount == other.siblingCount && isExpanded == other.isExpanded
      && childState == other.childState && childCount == other.childCount
      && visibleDescendantCount == other.visibleDescendantCount && isSelected == other.isSelected
      && isMatched == other.isMatched && hasSameObject(as: other)
  }

  private func hasSameObject(as other: Row) -> Bool {
    guard let object, let others = other.object else { return object == nil && other.object == nil }
    guard let comparable = object as? any Equatable else { return false }
    return comparable.isEqual(to: others)
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}

extension Row: Equatable where Object: Equatable {}

extension Row: Decodable {
  /// Decodes a row of an answer.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: FieldKey.self)
    func member<Value: Decodable>(_ field: RowField) throws -> Value? {
      try members.decodeIfPresent(Value.self, forKey: FieldKey(field))
    }
    index = try member(.index)
    key = try member(.key) ?? ""
    parent = try member(.parent)
    depth = try member(.depth) ?? 0
    section = try member(.section)
    sectionRow = try member(.sectionRow)
    position = try member(.position)
    siblingCount = try member(.siblingCount)
    isExpanded = try member(.expanded) ?? false
    childState = try member(.childState) ?? .leaf
    childCount = try member(.childCount)
    visibleDescendantCount = try member(.visibleDescendantCount)
    isSelected = try member(.selected) ?? false
    isMatched = try member(.matched)
    object = try member(.object)
  }
}

/// The name of a member of a row.
private struct FieldKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ field: RowField) { stringValue = field.rawValue }

  init(stringValue: String) { self.stringValue = stringValue }

  init?(intValue: Int) { nil }
}

/// The state of a node's children.
public enum ChildState: String, Sendable, Codable {
  /// The node has no children.
  case leaf
  /// Children exist or may exist, and are not supplied yet.
  case unloaded
  /// A client is supplying the children.
  case loading
  /// The children could not be supplied.
  case failed
  /// The children are in the tree.
  case loaded
}
