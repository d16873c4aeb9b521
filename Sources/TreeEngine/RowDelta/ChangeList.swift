/// The net difference between a view's rows before and after a transaction, in row indexes.
///
/// Applied to the rows before it gives the rows after: take out the sources of all deletions and
/// moves from the highest index down, then put in the targets of all insertions and moves from the
/// lowest up. Neighbouring rows that fared alike stand in one run.
public struct ChangeList: Equatable, Sendable {
  /// Rows that are no more: `count` of them from `index` of the rows before.
  public struct Deletion: Equatable, Sendable {
    /// The first row, in the rows before.
    public var index: Int
    /// How many rows.
    public var count: Int
    /// Where in ``ChangeList/deletedNodes`` their nodes are; nil where they were not listed.
    public var nodes: Range<Int>?

    /// Makes a deletion.
    public init(index: Int, count: Int, nodes: Range<Int>? = nil) {
      self.index = index
      self.count = count
      self.nodes = nodes
    }
  }

  /// Rows that are new, or that came from elsewhere.
  public struct Placement: Equatable, Sendable {
    /// The first row a move came from, in the rows before; nil for an insertion.
    public var index: Int?
    /// The first row, in the rows after.
    public var newIndex: Int
    /// How many rows.
    public var count: Int

    /// Makes an insertion, or a move where there is an index.
    public init(index: Int? = nil, newIndex: Int, count: Int) {
      self.index = index
      self.newIndex = newIndex
      self.count = count
    }
  }

  /// Several of them, or some.
  public typealias Placements = ShortList<Placement>.SubSequence

  /// A surviving row that reads differently.
  public struct Update: Equatable, Sendable {
    /// The row before.
    public var index: Int
    /// The row after.
    public var newIndex: Int
    /// The node of the row.
    public var node: NodeID
    /// What changed.
    public var fields: UpdatedFields
  }

  /// What of a row can be reported as changed.
  public struct UpdatedFields: OptionSet, Hashable, Sendable {
    /// One bit a field.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The object's bytes.
    public static let object = UpdatedFields(rawValue: 1)
    /// Whether the node is expanded.
    public static let expanded = UpdatedFields(rawValue: 2)
    /// What is known about its children.
    public static let childState = UpdatedFields(rawValue: 4)
    /// How many children it has.
    public static let childCount = UpdatedFields(rawValue: 8)
    /// Whether the node is selected.
    public static let selected = UpdatedFields(rawValue: 16)
    /// Whether the node matches the view's filter.
    public static let matched = UpdatedFields(rawValue: 32)
  }

  /// A list of no changes.
  public init() {}

  /// By descending index.
  public var deletions = ShortList<Deletion>()
  /// Insertions and moves by ascending new index.
  public var placements = ShortList<Placement>()
  /// Of the rows that moved one by one, the new indexes of those that have another parent or depth,
  /// ascending.
  public var reparented: [Int] = []
  /// By ascending new index.
  public var updates = ShortList<Update>()
  /// The nodes of listed deletions.
  public var deletedNodes: [NodeID] = []

  /// How many rows all runs together name.
  public var rowEntryCount: Int {
    deletions.reduce(0) { $0 + $1.count } + placements.reduce(0) { $0 + $1.count } + updates.count
  }
}
