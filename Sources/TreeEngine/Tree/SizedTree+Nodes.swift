extension SizedTree {
  /// Returns the node with a key; nil if there is none.
  ///
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func node(forKey key: Span<UInt8>) -> NodeID? { forest.node(forKey: key) }

  /// Returns the node with a key that was prefetched; see ``expect(_:)``.
  ///
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func node(forKey key: Span<UInt8>, hash: UInt32) -> NodeID? {
    forest.node(forKey: key, hash: hash)
  }

  /// Prefetches the place of a key in the key table, so that a later search does not wait for
  /// memory.
  ///
  /// - Returns: The hash of the key.
  /// - Complexity: O(bytes).
  @specialized(where Width == Fanout<64>)
  public func expect(_ key: Span<UInt8>) -> UInt32 { forest.expect(key) }

  /// Prefetches the record of the node whose key was passed to ``expect(_:)`` before.
  ///
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func expectNode(ofHash hash: UInt32) { forest.expectNode(ofHash: hash) }

  /// Returns the nodes of many keys, which are searched together.
  ///
  /// The result is ``NodeID/forestRoot`` for an unknown key, and rarely for a known one. The other
  /// results are valid as long as ``freedKeyCount`` does not change.
  ///
  /// - Parameters:
  ///   - keys: The keys, as ranges of `bytes`.
  ///   - bytes: The bytes.
  /// - Returns: The nodes, in the order of the keys.
  /// - Complexity: O(*k*) on average for *k* keys.
  @specialized(where Width == Fanout<64>)
  public func nodes(forKeys keys: [Range<Int>], in bytes: [UInt8]) -> [NodeID] {
    forest.nodes(forKeys: keys, in: bytes.span)
  }

  /// The number of removals of keys from the table, including those that were undone later.
  public var freedKeyCount: Int { forest.keyTable.removedCount }

  /// Returns the key of a node.
  ///
  /// The running transaction may have removed the node.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func key(of node: NodeID) -> ArraySlice<UInt8> { forest.key(of: node) }

  /// Returns the object of a node, as it was given; an empty slice stands for `null`.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func object(of node: NodeID) -> ArraySlice<UInt8> { forest.object(of: node) }

  /// Returns the bytes of all keys, which slices refer to.
  ///
  /// The result must not be held while the tree changes. A change would then copy each chunk that
  /// it writes to.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func keyBytes() -> ByteArena { forest.keyArena }

  /// Returns the slice of ``keyBytes()`` with a node's key.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func keySlice(of node: NodeID) -> ByteArena.Slice { forest[node].key }

  /// Returns the slices of ``keyBytes()`` and ``objectBytes()`` with a node's key and object.
  ///
  /// An empty slice stands for `null`.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func stringSlices(of node: NodeID) -> (key: ByteArena.Slice, object: ByteArena.Slice) {
    let record = forest[node]
    return (record.key, record.object)
  }

  /// Returns the bytes of all objects; see ``keyBytes()``.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func objectBytes() -> ByteArena { forest.objectArena }

  /// Appends a node's key to bytes, which is cheaper than ``key(of:)``.
  ///
  /// - Complexity: O(length of the key).
  @specialized(where Width == Fanout<64>)
  public func appendKey(of node: NodeID, to bytes: inout [UInt8]) {
    forest.keyArena.append(forest[node].key, to: &bytes)
  }

  /// Appends the key of a row's node to bytes.
  ///
  /// - Complexity: O(length of the key).
  @specialized(where Width == Fanout<64>)
  public func appendKey(of row: OutlinedRow, to bytes: inout [UInt8]) {
    forest.keyArena.append(row.key, to: &bytes)
  }

  /// Appends a node's object to bytes; appends nothing for `null`.
  ///
  /// - Complexity: O(length of the object).
  @specialized(where Width == Fanout<64>)
  public func appendObject(of node: NodeID, to bytes: inout [UInt8]) {
    forest.objectArena.append(forest[node].object, to: &bytes)
  }

  /// Returns the parent of a node; ``NodeID/forestRoot`` for a root.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func parent(of node: NodeID) -> NodeID { forest[node].parent }

  /// Returns the number of children of a node.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func childCount(of node: NodeID) -> Int { Int(forest[node].childCount) }

  /// Returns the state of a node's children.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func childState(of node: NodeID) -> ChildState { forest[node].childState }

  /// Returns the depth of a node; 0 for a root.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func depth(of node: NodeID) -> Int { Int(forest.place(of: node).depth) - 1 }

  /// Returns the number of siblings before a node.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func position(of node: NodeID) -> Int {
    forest.childPosition(of: forest.place(of: node))
  }

  /// Returns the child of a node at an index.
  ///
  /// - Precondition: `index` is below the child count.
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func child(_ index: Int, of parent: NodeID) -> NodeID {
    forest.node(at: forest.child(index, of: forest.place(of: parent)))
  }

  /// Calls a function with the children of a node in order, until it returns false.
  ///
  /// - Complexity: O(log *n*) for each child.
  @specialized(where Width == Fanout<64>)
  public func forEachChild(of parent: NodeID, _ body: (NodeID) -> Bool) {
    guard childCount(of: parent) > 0 else { return }
    var rest = childCount(of: parent)
    var next: Forest<Width>.Place? = forest.child(0, of: forest.place(of: parent))
    while rest > 0, let place = next, body(forest.node(at: place)) {
      rest -= 1
      next = forest.afterSubtree(place)
    }
  }

  /// Returns the number of nodes of a subtree, its root included.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func subtreeSize(of node: NodeID) -> Int {
    let place = forest.place(of: node)
    return Int(forest.subtreeEnd(place) - place.position)
  }

  /// Returns true if a node is below another node, or is that node.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func isNode(_ node: NodeID, atOrBelow top: NodeID) -> Bool {
    let place = forest.place(of: top)
    let position = forest.place(of: node).position
    return place.position <= position && position < forest.subtreeEnd(place)
  }

  /// Recomputes what is stored and compares it.
  ///
  /// For tests.
  ///
  /// - Complexity: O(*n* log *n*).
  @specialized(where Width == Fanout<64>)
  public func checkInvariants() {
    forest.checkInvariants()
    indexes.checkInvariants(in: forest)
    checkOrderings()
    for slot in watchers.indices { checkLayer(at: slot) }
    for watcher in watchers where !watcher.view.isVacant {
      watcher.view.checkInvariants(in: forest, indexes)
      watcher.aside?.checkInvariants(in: forest, indexes)
      watcher.delta?.checkInvariants()
    }
    checkMemory()
  }
}
