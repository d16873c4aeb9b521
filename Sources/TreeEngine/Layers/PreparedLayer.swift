/// The rows of a view with another filter or order, computed on a fork of the tree.
public struct PreparedLayer<Width: NodeWidth>: Sendable {
  /// The rows; nil if the expansion alone determines them.
  let layer: RowLayer<Width>?
  /// The order of the rows.
  public let order: ViewOrder
  /// True if the rows are filtered.
  public var isFiltered: Bool { layer?.filter != nil }

  /// A rule of expansion, and the nodes that differ from it.
  public typealias Expansion = (rule: ExpansionRule, toggled: [NodeID])

  /// The expansion of the view on the fork.
  let rule: ExpansionRule
  let toggled: Set<NodeID>

  /// Prepares the rows of a view, which are up to date.
  init(of watcher: Watcher<Width>) {
    let layering = watcher.layering
    var layer = layering?.layer
    layer?.endTransaction()
    self.layer = layer
    order = layering?.order ?? .depthFirst
    rule = watcher.view.rule
    toggled = watcher.view.toggledNodes
  }
}
