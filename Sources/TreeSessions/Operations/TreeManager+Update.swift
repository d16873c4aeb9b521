import JSON
import TreeDomain
import TreeEngine

/// What a put says about where its node is to stand.
struct PutWish: Equatable {
  var parent = ParentReference.absent
  var section: ByteSlice?
  var place = Place.default
}

extension TreeManager {
  /// Inserts a node, or replaces the object of the one that has the key and moves it where asked.
  ///
  /// - Returns: Whether there was none and one was made.
  mutating func put(
    _ nodes: Range<Int>,
    _ wish: PutWish,
    givesChildren: Bool,
    in batch: Batch
  ) throws(ServiceError) -> Bool {
    let new = batch.nodes[nodes.lowerBound]
    guard let node = tree.node(forKey: batch[new.key].span) else {
      let target = try target(wish.parent.key, wish.section, wish.place, in: batch)
      try insert(nodes, of: batch, under: target, wish.place)
      return true
    }
    if givesChildren {
      throw ServiceError(
        .invalidRequest,
        "The node is there; `children` can only be given to a new one.",
        key: batch[new.key]
      )
    }
    try update(node, .replace(ByteSlice(new.object)), in: batch)
    guard wish != PutWish() else { return false }
    var target = tree.parent(of: node)
    if wish.parent != .absent || wish.section != nil || isSection(target) {
      target = try self.target(
        moving: [node],
        wish.parent.key,
        wish.section,
        wish.place,
        in: batch
      )
    }
    try move([node], under: target, wish.place, in: batch)
    return false
  }

  mutating func update(
    _ node: NodeID,
    _ change: Operation.ObjectChange,
    in batch: Batch
  ) throws(ServiceError) {
    let old = orderedSubject(node)
    switch change {
    case .replace(let object):
      try checkRoom(bytes: object.count)
      tree.update(node, object: batch[object].span)
    case .merge(let patch):
      let object = try merged(patch, into: node, in: batch)
      try checkRoom(bytes: object.count)
      tree.update(node, object: object.span)
    }
    if let old { try restoreOrder(of: node, from: old) }
  }

  /// What a node's place among its siblings goes by, where they are in some order.
  ///
  /// Copied: as long as a part of the tree's bytes is held, whoever changes them changes a copy of
  /// them all.
  private func orderedSubject(_ node: NodeID) -> SortOrder.Subject? {
    guard sorted.order(of: tree.parent(of: node)) != nil || !sort.isEmpty else { return nil }
    let subject = subject(node)
    return SortOrder.Subject(key: Array(subject.key)[...], object: Array(subject.object)[...])
  }

  private func merged(
    _ patch: ByteSlice,
    into node: NodeID,
    in batch: Batch
  ) throws(ServiceError) -> [UInt8] {
    let object: [UInt8]
    do {
      object = try MergePatch.apply(
        Array(batch[patch]),
        to: Array(self.object(of: node)),
        maxDepth: limits.maxJSONDepth
      )
    } catch {
      var refusal = ServiceError(
        .invalidRequest,
        "The merged object would be nested too deep; merge less into it.",
        key: tree.key(of: node)
      )
      refusal.limit = limits.maxJSONDepth
      throw refusal
    }
    guard object.count <= limits.maxObjectBytes else {
      var refusal = ServiceError(
        .contentTooLarge,
        "The merged object would have more bytes than an object may; merge less into it.",
        key: tree.key(of: node)
      )
      refusal.limit = limits.maxObjectBytes
      throw refusal
    }
    return object
  }

  /// After an update that changed the sorted value, a tree-level sort places the node anew, as if
  /// it had come just now.
  private mutating func restoreOrder(
    of node: NodeID,
    from old: SortOrder.Subject
  ) throws(ServiceError) {
    let parent = tree.parent(of: node)
    let known = sorted.order(of: parent)
    let new = subject(node)
    // What is known by the order of the tree stays true, since the node will find its place.
    if let known, known != sort, known.key(of: old) != known.key(of: new) { sorted.forget(parent) }
    guard !sort.isEmpty, sort.key(of: old) != sort.key(of: new) else { return }
    let index = try sortedIndex(of: new, by: sort, under: parent, without: node)
    do throws(TreeError) {
      try tree.move(node, under: parent, at: index)
    } catch {
      preconditionFailure("a node can always move among its siblings")
    }
  }
}
