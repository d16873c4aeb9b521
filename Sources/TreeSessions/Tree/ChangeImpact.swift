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

  private static func add(
    _ operation: Operation,
    of batch: Batch,
    to footprint: inout Footprint,
    _ orders: inout [SortOrder],
    _ copy: borrowing TreeContent
  ) {
    switch operation {
    // Places among siblings are in the impact of the transaction.
    case .insert(_, _, _, let place):
      if let order = copy.siblings.order(of: place, in: batch) { orders.append(order) }
    case .put(let nodes, _, _, let place, _):
      if let order = copy.siblings.order(of: place, in: batch) { orders.append(order) }
      addPlace(of: batch[batch.nodes[nodes.offset].key], to: &footprint, copy)
    case .move(let keys, _, _, let place):
      if let order = copy.siblings.order(of: place, in: batch) { orders.append(order) }
      for key in batch.keys[keys.range] { addPlace(of: batch[key], to: &footprint, copy) }
    case .update(let key, _): addPlace(of: batch[key], to: &footprint, copy)
    // Other changes of a removed node fail when they are replayed on the copy.
    case .remove, .removeAll: break
    case .setChildren(let target, let children):
      footprint.readsObjects = true
      switch target {
      case .node(let key): addSubtree(of: batch[key], to: &footprint, copy)
      case .roots: footprint.subtrees = [.forestRoot]
      }
      guard case .nodes(let nodes) = children else { return }
      for node in batch.nodes[nodes.range] { add(batch[node.key], to: &footprint, copy) }
    case .sort(let target, let order):
      orders.append(batch.orders[order])
      if case .children(let key) = target {
        add(batch[key], to: &footprint, copy)
      } else {
        footprint.subtrees = [.forestRoot]
      }
    case .insertSection, .removeSection, .moveSection, .renameSection:
      footprint.subtrees = [.forestRoot]
    case .view(let operation):
      footprint.changesView = true
      add(operation, of: batch, to: &footprint, copy)
    }
  }

  private static func add(
    _ operation: ViewOperation,
    of batch: Batch,
    to footprint: inout Footprint,
    _ copy: borrowing TreeContent
  ) {
    switch operation {
    case .expand(let key, _), .collapse(let key, _), .toggle(let key, _),
      .select(.subtree(let key)), .deselect(.subtree(let key)):
      addSubtree(of: batch[key], to: &footprint, copy)
    case .select(.keys(let keys)), .deselect(.keys(let keys)):
      for key in batch.keys[keys.range] { add(batch[key], to: &footprint, copy) }
    case .clearSelection: break
    case .expandAll, .collapseAll, .reveal, .expandSection, .collapseSection:
      footprint.subtrees = [.forestRoot]
    }
  }

  private static func add(
    _ key: ArraySlice<UInt8>,
    to footprint: inout Footprint,
    _ copy: borrowing TreeContent
  ) {
    if let node = copy.tree.node(forKey: key.span) { footprint.nodes.insert(node) }
  }

  private static func addSubtree(
    of key: ArraySlice<UInt8>,
    to footprint: inout Footprint,
    _ copy: borrowing TreeContent
  ) {
    if let node = copy.tree.node(forKey: key.span) { footprint.subtrees.append(node) }
  }

  /// Adds a node and its parent, because the node's place is in the parent's list of children.
  private static func addPlace(
    of key: ArraySlice<UInt8>,
    to footprint: inout Footprint,
    _ copy: borrowing TreeContent
  ) {
    guard let node = copy.tree.node(forKey: key.span) else { return }
    footprint.nodes.insert(node)
    footprint.nodes.insert(copy.tree.parent(of: node))
  }
}
