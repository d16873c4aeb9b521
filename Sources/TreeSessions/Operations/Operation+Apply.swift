import TreeDomain
import TreeEngine

// Applying an operation.
extension Operation {
  /// Applies the operation in the running transaction.
  ///
  /// - Parameters:
  ///   - batch: The batch that contains it.
  ///   - session: The session; nil if the batch was sent to the tree.
  ///   - content: The content of the tree.
  /// - Returns: True if it was a put that made a node.
  /// - Throws: The reason to refuse it.
  func apply(
    of batch: Batch,
    by session: OpenSession?,
    to content: inout TreeContent
  ) throws(ServiceError) -> Bool {
    switch self {
    case .insert(let nodes, let parent, let section, let place):
      let target = try content.target(parent, section, place, in: batch)
      try content.insert(nodes.range, of: batch, under: target, place)
    case .put(let nodes, let parent, let section, let place, let givesChildren):
      let wish = PutWish(parent: parent, section: section, place: place)
      return try content.put(nodes.range, wish, givesChildren: givesChildren, in: batch)
    case .update(let key, let change):
      try content.update(content.find(key, in: batch), change, in: batch)
    case .remove(let key):
      try content.remove(content.find(key, in: batch))
    case .removeAll(let keys):
      try content.removeAll(batch.keys[keys.range], in: batch)
    case .move(let keys, let parent, let section, let place):
      try content.move(batch.keys[keys.range], parent, section, place, in: batch)
    case .setChildren(let target, let children):
      try SetChildren(of: target, children, in: batch).apply(to: &content)
    case .sort(let target, let order):
      try SiblingSort(by: batch.orders[order]).apply(to: target, of: batch, in: &content)
    case .insertSection(let name, let index):
      try content.insertSection(batch[name], at: index)
    case .removeSection(let name):
      try content.removeSection(batch[name])
    case .moveSection(let name, let index):
      try content.moveSection(batch[name], to: index)
    case .renameSection(let name, let newName):
      try content.renameSection(batch[name], to: batch[newName])
    case .view(let operation):
      guard let session else {
        throw ServiceError(
          .invalidRequest,
          "What is shown and selected belongs to a session; send this to one of its batches."
        )
      }
      try ViewEditing(session: session).apply(operation, of: batch, in: &content)
    }
    return false
  }
}

// Sizes of operations.
extension BatchSize {
  /// Adds the further nodes and bytes that an operation affects.
  mutating func add(
    _ operation: Operation,
    of batch: Batch,
    by session: OpenSession?,
    in content: borrowing TreeContent
  ) {
    addPlaces(of: operation, batch, content)
    switch operation {
    case .insert, .put, .update(_, .replace), .insertSection, .renameSection: break
    case .update(let key, .merge):
      let node = content.tree.node(forKey: batch[key].span)
      size.bytes += (node.map { content.tree.object(of: $0).count } ?? 0) * weight
    case .remove(let key): size.nodes += subtree(batch[key], content) * weight
    case .removeAll(let keys), .move(let keys, _, _, _):
      for key in batch.keys[keys.range] where size.isSmall(content.limits) {
        size.nodes += subtree(batch[key], content) * weight
      }
    case .setChildren(let target, _): size.nodes += below(target, batch, content) * weight
    case .sort(let target, let order):
      addSorting(target, by: batch.orders[order], batch, content)
    case .removeSection(let name), .moveSection(let name, _):
      size.nodes += section(batch[name], content) * weight
    case .view(let operation):
      if let session { size.nodes += viewNodes(operation, batch, session, content) }
    }
  }

  /// Returns the parent whose children an operation reads to find a place; `nil` if the tree does
  /// not have it yet.
  func parent(
    of operation: Operation,
    _ batch: Batch,
    _ content: borrowing TreeContent
  ) -> NodeID? {
    func node(_ key: ByteSlice) -> NodeID? { content.tree.node(forKey: batch[key].span) }
    switch operation {
    case .insert(_, let parent?, _, _), .put(_, .node(let parent), _, _, _),
      .move(_, let parent?, _, _):
      return node(parent)
    case .insert(_, nil, let section?, _), .put(_, _, let section?, _, _),
      .move(_, nil, let section?, _):
      return content.sections.node(named: batch[section])
    case .put(let nodes, .absent, nil, _, _):
      let present = content.tree.node(forKey: batch[batch.nodes[nodes.offset].key].span)
      return present.map { content.tree.parent(of: $0) } ?? content.sections.first
    case .move(let keys, nil, nil, _):
      let first = batch.keys[keys.range].first.flatMap(node)
      return first.map { content.sections.all[content.sectionIndex(of: $0)].node }
    case .update(let key, _): return node(key).map { content.tree.parent(of: $0) }
    case .insert(_, nil, nil, _), .put(_, .root, nil, _, _): return content.sections.first
    case .remove, .removeAll, .setChildren, .sort, .insertSection, .removeSection, .moveSection,
      .renameSection, .view:
      return nil
    }
  }
}

// Nodes on which the effect of operations depends.
extension ChangeImpact {
  /// Adds the nodes and orders on which an operation depends, besides those that it changes.
  static func add(
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
}

// Properties of operations.
extension Operation {
  /// True if the operation adds, removes, moves or renames a section.
  var changesSections: Bool {
    switch self {
    case .insertSection, .removeSection, .moveSection, .renameSection: true
    case .insert, .put, .update, .remove, .removeAll, .move, .setChildren, .sort, .view: false
    }
  }

  /// The key that the operation certainly looks up: that of the node that it changes, or that of
  /// the parent for an insertion or move.
  var mainKey: ByteSlice? {
    switch self {
    case .insert(_, let parent, _, _): parent
    case .update(let key, _), .remove(let key): key
    case .move(_, let parent, _, _): parent
    case .view(.expand(let key, _)), .view(.collapse(let key, _)), .view(.toggle(let key, _)): key
    case .put, .removeAll, .setChildren, .sort, .insertSection, .removeSection, .moveSection,
      .renameSection, .view:
      nil
    }
  }

  /// The place that the operation gives nodes; nil if it moves none.
  ///
  /// An update may change the sorted place of a node.
  var place: Place? {
    switch self {
    case .insert(_, _, _, let place), .put(_, _, _, let place, _), .move(_, _, _, let place): place
    case .update: .default
    case .remove, .removeAll, .setChildren, .sort, .insertSection, .removeSection, .moveSection,
      .renameSection, .view:
      nil
    }
  }

  /// True if siblings that are known to be sorted may have another order afterwards.
  var reordersSiblings: Bool {
    switch self {
    case .setChildren, .sort, .removeSection: true
    case .insert, .put, .update, .remove, .removeAll, .move, .insertSection, .moveSection,
      .renameSection, .view:
      false
    }
  }

  /// True if all rows that the operation affects must be listed: it has several steps, or adds or
  /// removes a section.
  var needsAllRows: Bool {
    switch self {
    case .move(let keys, _, _, _), .removeAll(let keys): keys.count > 1
    case .setChildren, .sort, .insertSection, .removeSection: true
    case .insert, .put, .update, .remove, .moveSection, .renameSection, .view: false
    }
  }

  /// The number of keys in the operation's list of keys; 1 if it has no list.
  var nodesNamed: Int {
    switch self {
    case .removeAll(let keys), .move(let keys, _, _, _), .view(.reveal(let keys, _)),
      .view(.select(.keys(let keys))), .view(.deselect(.keys(let keys))):
      keys.count
    case .insert, .put, .update, .remove, .setChildren, .sort, .insertSection, .removeSection,
      .moveSection, .renameSection, .view:
      1
    }
  }

  /// True if the operation only removes something.
  fileprivate var freesMemory: Bool {
    switch self {
    case .remove, .removeAll, .removeSection, .view(.deselect), .view(.clearSelection),
      .view(.collapseAll):
      true
    case .insert, .put, .update, .move, .setChildren, .sort, .insertSection, .moveSection,
      .renameSection, .view:
      false
    }
  }
}

extension Batch {
  /// True if all operations only remove something.
  var freesMemory: Bool { operations.allSatisfy(\.freesMemory) }
}
