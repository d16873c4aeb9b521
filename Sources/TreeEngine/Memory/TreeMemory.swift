/// The memory of a tree and its views by purpose, in bytes.
///
/// Allocated memory is counted, unused capacity included, so that the sum follows the memory of the
/// process.
public struct TreeMemory: Equatable, Sendable {
  /// The sequence of nodes, the node records, the key table and the level indexes.
  public var nodes = 0
  /// Keys and objects, including the unused bytes that a compaction releases.
  public var content = 0
  /// The expansion of views.
  public var views = 0
  /// Rows of views with a filter or an order, and the orderings.
  public var layers = 0
  /// Nodes that are selected in views.
  public var selections = 0
  /// The changes of past commits, for clients that catch up.
  public var history = 0
  /// The undo log of the running transaction.
  public var transaction = 0
  /// Chunks that only snapshots and forks hold, because the tree has changed its copies.
  public var snapshots = 0

  /// Creates an empty sum.
  public init() {}

  init<Width>(of editor: borrowing TreeEditor<Width>, _ history: TreeHistory) {
    nodes = editor.base.forest.structureBytes + editor.base.indexes.byteCount
    content = editor.base.forest.keyArena.byteCount + editor.base.forest.objectArena.byteCount
    views = editor.base.memory.views + editor.base.watchers.byteCount
    layers = editor.base.memory.layers + editor.base.orderings.reduce(0) { $0 + $1.byteCount }
    selections = editor.base.memory.selections
    self.history = history.data.byteCount + history.viewBytes
    transaction = editor.transaction?.weight ?? 0
    snapshots = editor.base.forest.copiedBytes
  }
}

/// The memory of one or more views by purpose, in bytes.
struct ViewMemory: Equatable, Sendable {
  var views = 0
  var layers = 0
  var selections = 0

  static func += (left: inout ViewMemory, right: ViewMemory) {
    left.views += right.views
    left.layers += right.layers
    left.selections += right.selections
  }

  static func -= (left: inout ViewMemory, right: ViewMemory) {
    left.views -= right.views
    left.layers -= right.layers
    left.selections -= right.selections
  }
}
