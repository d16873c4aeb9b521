import TreeDomain
import TreeEngine

/// The nodes that a prepared change concerns, and the orders by which it placed them.
struct ChangeImpact {
  var nodes: TransactionImpact
  var orders: [SortOrder]

  /// Finds the impact of an import that was made on a copy.
  init(ofImportOn copy: borrowing TreeContent) {
    nodes = copy.tree.impact(Footprint(), view: nil)
    orders = copy.sort.isEmpty ? [] : [copy.sort]
  }

  /// Finds the impact of a patch that was made on a copy.
  ///
  /// Fails if the patch sets more than the order of the tree and options that show no rows.
  init?(of patch: SessionPatch, on copy: borrowing TreeContent) {
    guard patch.sort != nil, patch.filter == nil, patch.order == nil, patch.viewSort == nil,
      patch.expansion == nil, patch.selection == nil
    else { return nil }
    var footprint = Footprint()
    footprint.subtrees = [.forestRoot]
    nodes = copy.tree.impact(footprint, view: nil)
    // Until the patch, an update may move a node by the former order.
    orders = [copy.siblings.savepoint, copy.sort].filter { !$0.isEmpty }
  }

  /// Finds the impact of a batch that was made on a copy.
  ///
  /// Fails if the batch changes sections, or affects too many subtrees.
  ///
  /// - Complexity: O(keys in the batch).
  init?(of batch: Batch, by session: OpenSession?, on copy: borrowing TreeContent) {
    var footprint = Footprint()
    var orders = copy.sort.isEmpty ? [] : [copy.sort]
    for operation in batch.operations {
      if operation.changesSections { return nil }
      Self.add(operation, of: batch, to: &footprint, &orders, copy)
    }
    if footprint.changesView, session?.options.accordion == true {
      footprint.subtrees = [.forestRoot]
    }
    // The rows that a filter shows depend on the objects.
    if footprint.changesView, session?.options.filter != nil { footprint.readsObjects = true }
    // For each node that other changes touched, all these subtrees are checked.
    guard footprint.subtrees.count <= Self.maxSubtrees else { return nil }
    nodes = copy.tree.impact(footprint, view: session?.view)
    self.orders = orders
  }

  private static var maxSubtrees: Int { 64 }

  // MARK: Parts of a footprint

  /// Adds a node, if the tree has it.
  static func add(
    _ key: ArraySlice<UInt8>,
    to footprint: inout Footprint,
    _ copy: borrowing TreeContent
  ) {
    if let node = copy.tree.node(forKey: key.span) { footprint.nodes.insert(node) }
  }

  /// Adds a node and its descendants, if the tree has it.
  static func addSubtree(
    of key: ArraySlice<UInt8>,
    to footprint: inout Footprint,
    _ copy: borrowing TreeContent
  ) {
    if let node = copy.tree.node(forKey: key.span) { footprint.subtrees.append(node) }
  }

  /// Adds a node and its parent, because the node's place is in the parent's list of children.
  static func addPlace(
    of key: ArraySlice<UInt8>,
    to footprint: inout Footprint,
    _ copy: borrowing TreeContent
  ) {
    guard let node = copy.tree.node(forKey: key.span) else { return }
    footprint.nodes.insert(node)
    footprint.nodes.insert(copy.tree.parent(of: node))
  }
}
