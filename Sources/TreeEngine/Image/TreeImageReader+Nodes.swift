/// The part of the sequence that was read so far.
struct PreorderReading<Width: NodeWidth> {
  var entries = [Forest<Width>.Entry(owner: 0, step: 0)]
  /// The last node and its ancestors, from the forest root down.
  var path = [NodeID.forestRoot]
}

// Nodes: the records, then the sequence.
extension TreeImageReader {
  mutating func readNodes(_ reader: inout ByteReader) throws(ImageError) {
    while left > 0, !reader.isAtEnd {
      try readNode(&reader)
      left -= 1
    }
    if left == 0 { begin(.sequence, of: tree.editor.base.forest.keyTable.count) }
  }

  private mutating func readNode(_ reader: inout ByteReader) throws(ImageError) {
    let flags = try NodeFlags(bits: reader.byte())
    let node = NodeID(Int32(tree.editor.base.forest.records.count))
    var record = NodeRecord(childState: flags.childState)
    if !flags.isLinked {
      record.parent = try reader.node(of: counts.nodeIDs)
      record.childCount = Int32(try reader.count(upTo: NodeRecord.mostChildren))
    }
    if flags.hasHint {
      guard flags.childState != .leaf, flags.childState != .loaded else { throw .damaged }
      tree.editor.base.forest.hints[node] = try reader.number(near: 0)
    }
    let key = try reader.string(upTo: ByteArena.longest)
    record.key = tree.editor.base.forest.keyArena.append(key.span)
    if flags.hasObject {
      let object = try reader.string(upTo: ByteArena.longest)
      record.object = tree.editor.base.forest.objectArena.append(object.span)
    }
    tree.editor.base.forest.records.append(record)
    states.append(flags.isLinked ? .expected : .unlinked)
    guard flags.isLinked else { return }
    let hash = KeyTable.hash(key.span)
    let twin = tree.editor.base.forest.keyTable.find(hash: hash) {
      tree.editor.base.forest.hasKey(key.span, NodeID($0))
    }
    guard twin == nil else { throw .damaged }
    tree.editor.base.forest.keyTable.insert(node.index, hash: hash)
    tree.editor.base.forest.recordUnloaded(node, 1)
  }

  mutating func readSequence(_ reader: inout ByteReader) throws(ImageError) {
    while left > 0, !reader.isAtEnd {
      try readEntry(&reader)
      left -= 1
    }
    guard left == 0 else { return }
    tree.editor.base.forest.sequence = Forest<Width>.Sequence()
    tree.editor.base.forest.root = tree.editor.base.forest.sequence.build(preorder.entries)
    tree.editor.base.forest.entryCount = Int32(preorder.entries.count)
    preorder = PreorderReading()
    begin(.free, of: counts.free)
  }

  private mutating func readEntry(_ reader: inout ByteReader) throws(ImageError) {
    let last = preorder.path[preorder.path.count - 1]
    let node = NodeID(try reader.number(near: last.index))
    let step = try reader.signed()
    guard states.indices.contains(node.offset), states[node.offset] == .expected,
      step <= 1, step > 1 - preorder.path.count
    else { throw .damaged }
    preorder.path.removeLast(1 - step)
    let parent = preorder.path[preorder.path.count - 1]
    guard tree.editor.base.forest[parent].childState != .leaf else { throw .damaged }
    tree.editor.base.forest[node].parent = parent
    tree.editor.base.forest[parent].childCount += 1
    states[node.offset] = .linked
    preorder.path.append(node)
    preorder.entries.append(Forest<Width>.Entry(owner: node.index, step: Int32(step)))
  }

  mutating func readFree(_ reader: inout ByteReader) throws(ImageError) {
    while left > 0, !reader.isAtEnd {
      let node = try reader.node(of: counts.nodeIDs)
      try explain(node, as: .free)
      tree.editor.base.forest.freeNodes.append(node)
      left -= 1
    }
    if left == 0 { begin(.data, of: counts.data) }
  }

  mutating func readData(_ reader: inout ByteReader) throws(ImageError) {
    while left > 0, !reader.isAtEnd {
      let past = try PastData(from: &reader, nodeIDs: counts.nodeIDs)
      guard past.number > tree.history.data.last?.number ?? tree.history.oldest,
        past.number <= tree.history.number
      else { throw .damaged }
      for node in past.removed { try explain(node, as: .removed) }
      tree.history.removedCount += past.removed.count
      tree.history.data.append(past)
      left -= 1
    }
    guard left == 0 else { return }
    let explained = tree.nodeCount + counts.free + tree.history.removedCount
    guard explained == counts.nodeIDs - 1 else { throw .damaged }
    begin(.views, of: counts.views)
  }

  /// Records why a node is not in the tree.
  ///
  /// Exactly one reason must be given.
  private mutating func explain(_ node: NodeID, as state: NodeState) throws(ImageError) {
    guard states[node.offset] == .unlinked else { throw .damaged }
    states[node.offset] = state
  }
}
