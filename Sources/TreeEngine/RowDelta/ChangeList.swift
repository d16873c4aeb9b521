/// The net difference between a view's rows before and after a transaction, in row indexes.
///
/// To apply it: remove the sources of all deletions and moves from the highest index down. Then
/// insert the targets of all insertions and moves from the lowest index up. Neighbouring rows with
/// the same kind of change form one run.
public struct ChangeList: Equatable, Sendable {
  /// A run of deleted rows.
  public struct Deletion: Equatable, Sendable {
    /// The index of the first row, in the rows before.
    public var index: Int
    /// The number of rows.
    public var count: Int
    /// The range of their nodes in ``ChangeList/deletedNodes``, or nil if they were not listed.
    public var nodes: Range<Int>?

    /// Makes a deletion.
    public init(index: Int, count: Int, nodes: Range<Int>? = nil) {
      self.index = index
      self.count = count
      self.nodes = nodes
    }
  }

  /// A run of inserted or moved rows.
  public struct Placement: Equatable, Sendable {
    /// The former index of the first row of a move, or nil for an insertion.
    public var index: Int?
    /// The index of the first row, in the rows after.
    public var newIndex: Int
    /// The number of rows.
    public var count: Int

    /// Makes a move, or an insertion if `index` is nil.
    public init(index: Int? = nil, newIndex: Int, count: Int) {
      self.index = index
      self.newIndex = newIndex
      self.count = count
    }
  }

  /// A range of placements.
  public typealias Placements = ShortList<Placement>.SubSequence

  /// A row that stays and whose content changed.
  public struct Update: Equatable, Sendable {
    /// The index in the rows before.
    public var index: Int
    /// The index in the rows after.
    public var newIndex: Int
    /// The node of the row.
    public var node: NodeID
    /// The fields that changed.
    public var fields: UpdatedFields
  }

  /// The fields of a row whose changes are reported.
  public struct UpdatedFields: OptionSet, Hashable, Sendable {
    /// The bits, one per field.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The object's bytes.
    public static let object = UpdatedFields(rawValue: 1)
    /// True if the node is expanded.
    public static let expanded = UpdatedFields(rawValue: 2)
    /// The state of its children.
    public static let childState = UpdatedFields(rawValue: 4)
    /// The number of its children.
    public static let childCount = UpdatedFields(rawValue: 8)
    /// True if the node is selected.
    public static let selected = UpdatedFields(rawValue: 16)
    /// True if the node matches the view's filter.
    public static let matched = UpdatedFields(rawValue: 32)
  }

  /// Makes an empty list.
  public init() {}

  /// The deletions, by descending index.
  public var deletions = ShortList<Deletion>()
  /// The insertions and moves, by ascending new index.
  public var placements = ShortList<Placement>()
  /// The new indexes of singly moved rows whose parent or depth changed, ascending.
  public var reparented: [Int] = []
  /// The updates, by ascending new index.
  public var updates = ShortList<Update>()
  /// The nodes of listed deletions.
  public var deletedNodes: [NodeID] = []

  /// The number of rows that all runs contain together.
  public var rowEntryCount: Int {
    deletions.reduce(0) { $0 + $1.count } + placements.reduce(0) { $0 + $1.count } + updates.count
  }
}
