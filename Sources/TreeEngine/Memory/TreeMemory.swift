/// The bytes of memory that a tree and its views take, by what they hold.
///
/// Counted by the room of what is allocated, so that the sum follows the memory of the process.
public struct TreeMemory: Equatable, Sendable {
  /// The sequence of nodes, what is stored of each, the key table and the level indexes.
  public var nodes = 0
  /// Keys and objects, garbage included that is not compacted yet.
  public var content = 0
  /// The expansion of views.
  public var views = 0
  /// Rows of filtered and of breadth-first views.
  public var layers = 0
  /// Nodes that are selected in views.
  public var selections = 0
  /// The record of past commits, to be told later.
  public var history = 0
  /// The steps that the running transaction would undo.
  public var transaction = 0
  /// Chunks that snapshots and forks alone hold, as they were copied since.
  public var snapshots = 0

  /// The bytes of no tree.
  public init() {}
}

/// The bytes that one view takes, or several.
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
