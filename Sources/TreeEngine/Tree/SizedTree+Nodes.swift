// The nodes: how they are found, and what is read of them.
extension SizedTree {
  /// Returns the number of children to report until a node's children are loaded; nil if unknown.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func childCountHint(of node: NodeID) -> Int? {
    editor.base.forest.hints[node].map { Int($0) }
  }

  /// Returns the node with a key; nil if there is none.
  ///
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func node(forKey key: Span<UInt8>) -> NodeID? { editor.base.forest.node(forKey: key) }

  /// Returns the node with a key that was prefetched; see ``expect(_:)``.
  ///
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func node(forKey key: Span<UInt8>, hash: UInt32) -> NodeID? {
    editor.base.forest.node(forKey: key, hash: hash)
  }

  /// Prefetches the place of a key in the key table, so that a later search does not wait for
  /// memory.
  ///
  /// - Returns: The hash of the key.
  /// - Complexity: O(bytes).
  @specialized(where Width == Fanout<64>)
  public func expect(_ key: Span<UInt8>) -> UInt32 { editor.base.forest.expect(key) }

  /// Prefetches the record of the node whose key was passed to ``expect(_:)`` before.
  ///
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func expectNode(ofHash hash: UInt32) { editor.base.forest.expectNode(ofHash: hash) }

  /// Returns the nodes of many keys, which are searched together.
  ///
  /// The result is ``NodeID/forestRoot`` for an unknown key, and rarely for a known one, such as
  /// one whose hash another key has too. So each such key must be looked up alone. The other
  /// results are valid as long as ``freedKeyCount`` does not change.
  ///
  /// - Parameters:
  ///   - keys: The keys, as ranges of `bytes`.
  ///   - bytes: The bytes.
  /// - Returns: The nodes, in the order of the keys.
  /// - Complexity: O(*k*) on average for *k* keys.
  @specialized(where Width == Fanout<64>)
  public func nodes(forKeys keys: [Range<Int>], in bytes: [UInt8]) -> [NodeID] {
    editor.base.forest.nodes(forKeys: keys, in: bytes.span)
  }

  /// The number of removals of keys from the table, including those that were undone later.
  public var freedKeyCount: Int { editor.base.forest.keyTable.removedCount }

  /// Returns the key of a node.
  ///
  /// The running transaction may have removed the node.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func key(of node: NodeID) -> ArraySlice<UInt8> { editor.base.forest.key(of: node) }

  /// Returns the object of a node, as it was given; an empty slice stands for `null`.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func object(of node: NodeID) -> ArraySlice<UInt8> { editor.base.forest.object(of: node) }

  /// Returns the bytes of all keys, which slices refer to.
  ///
  /// The result must not be held while the tree changes. A change would then copy each chunk that
  /// it writes to.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func keyBytes() -> ByteArena { editor.base.forest.keyArena }

  /// Returns the slice of ``keyBytes()`` with a node's key.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func keySlice(of node: NodeID) -> ByteArena.Slice { editor.base.forest[node].key }

  /// Returns the slices of ``keyBytes()`` and ``objectBytes()`` with a node's key and object.
  ///
  /// An empty slice stands for `null`.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func stringSlices(of node: NodeID) -> (key: ByteArena.Slice, object: ByteArena.Slice) {
    let record = editor.base.forest[node]
    return (record.key, record.object)
  }

  /// Returns the bytes of all objects; see ``keyBytes()``.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func objectBytes() -> ByteArena { editor.base.forest.objectArena }

  /// Appends a node's key to bytes, which is cheaper than ``key(of:)``.
  ///
  /// - Complexity: O(length of the key).
  @specialized(where Width == Fanout<64>)
  public func appendKey(of node: NodeID, to bytes: inout [UInt8]) {
    editor.base.forest.keyArena.append(editor.base.forest[node].key, to: &bytes)
  }

  /// Appends the key of a row's node to bytes.
  ///
  /// - Complexity: O(length of the key).
  @specialized(where Width == Fanout<64>)
  public func appendKey(of row: OutlinedRow, to bytes: inout [UInt8]) {
    editor.base.forest.keyArena.append(row.key, to: &bytes)
  }

  /// Appends a node's object to bytes; appends nothing for `null`.
  ///
  /// - Complexity: O(length of the object).
  @specialized(where Width == Fanout<64>)
  public func appendObject(of node: NodeID, to bytes: inout [UInt8]) {
    editor.base.forest.objectArena.append(editor.base.forest[node].object, to: &bytes)
  }

  /// Returns the parent of a node; ``NodeID/forestRoot`` for a root.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func parent(of node: NodeID) -> NodeID { editor.base.forest[node].parent }

  /// Returns the number of children of a node.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func childCount(of node: NodeID) -> Int { Int(editor.base.forest[node].childCount) }

  /// Returns the state of a node's children.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func childState(of node: NodeID) -> ChildState { editor.base.forest[node].childState }

  /// Returns the depth of a node; 0 for a root.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func depth(of node: NodeID) -> Int { Int(editor.base.forest.place(of: node).depth) - 1 }

  /// Returns the number of siblings before a node.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func position(of node: NodeID) -> Int {
    editor.base.forest.childPosition(of: editor.base.forest.place(of: node))
  }

  /// Returns the child of a node at an index.
  ///
  /// - Precondition: `index` is below the child count.
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func child(_ index: Int, of parent: NodeID) -> NodeID {
    editor.base.forest.node(
      at: editor.base.forest.child(index, of: editor.base.forest.place(of: parent))
    )
  }

  /// Calls a function with the children of a node in order, until it returns false.
  ///
  /// - Complexity: O(log *n*) for each child.
  @specialized(where Width == Fanout<64>)
  public func forEachChild(of parent: NodeID, _ body: (NodeID) -> Bool) {
    guard childCount(of: parent) > 0 else { return }
    var rest = childCount(of: parent)
    var next: Forest<Width>.Place? = editor.base.forest.child(
      0,
      of: editor.base.forest.place(of: parent)
    )
    while rest > 0, let place = next, body(editor.base.forest.node(at: place)) {
      rest -= 1
      next = editor.base.forest.afterSubtree(place)
    }
  }

  /// Returns the number of nodes of a subtree, its root included.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func subtreeSize(of node: NodeID) -> Int {
    let place = editor.base.forest.place(of: node)
    return Int(editor.base.forest.subtreeEnd(place) - place.position)
  }

  /// Returns true if a node is below another node, or is that node.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func isNode(_ node: NodeID, atOrBelow top: NodeID) -> Bool {
    let place = editor.base.forest.place(of: top)
    let position = editor.base.forest.place(of: node).position
    return place.position <= position && position < editor.base.forest.subtreeEnd(place)
  }

  /// Returns the index of a node's root among the roots; a root is its own.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func topLevelPosition(of node: NodeID) -> Int {
    let first = editor.base.forest.place(at: 1)
    return Int(
      editor.base.forest.depthMinimum(
        from: first,
        to: editor.base.forest.place(of: node).position + 1
      ).count
    ) - 1
  }

  /// Returns the number of children that a row of a node shows: the existing ones, else the hint.
  ///
  /// The result is nil if neither is known.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func shownChildCount(of node: NodeID) -> Int? {
    editor.base.forest.shownChildCount(of: node).map { Int($0) }
  }

  /// Calls a function with the nodes in pre-order, until it returns false.
  ///
  /// - Parameters:
  ///   - node: The node to start after; nil to start with the first.
  ///   - id: The order of siblings; nil for that of the tree.
  ///   - body: The function.
  /// - Complexity: O(nodes passed to `body` + log *n*).
  @specialized(where Width == Fanout<64>)
  public func forEachNode(
    after node: NodeID? = nil,
    in id: OrderingID? = nil,
    _ body: (NodeID) -> Bool
  ) {
    guard let ordering = editor.base.ordering(id) else {
      return editor.base.forest.forEachNode(after: node, body)
    }
    ordering.forEachNode(after: node, body)
  }

  /// Returns the node id with an index, or nil if it was never used.
  ///
  /// The node may have been removed.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func node(numbered index: Int) -> NodeID? {
    editor.base.forest.records.indices.contains(index) ? NodeID(Int32(index)) : nil
  }
}
