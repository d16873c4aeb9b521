extension SizedTree {
  /// The node with a key.
  ///
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func node(forKey key: Span<UInt8>) -> NodeID? { forest.node(forKey: key) }

  /// The same for a key that was expected; see ``expect(_:)``.
  ///
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func node(forKey key: Span<UInt8>, hash: UInt32) -> NodeID? {
    forest.node(forKey: key, hash: hash)
  }

  /// Begins to load where a key belongs that will be looked for soon, and does not wait for it.
  ///
  /// - Returns: the key's hash.
  /// - Complexity: O(bytes).
  @specialized(where Width == Fanout<64>)
  public func expect(_ key: Span<UInt8>) -> UInt32 { forest.expect(key) }

  /// Begins to load what is known of the node whose key was expected a while ago, and does not wait
  /// for it.
  ///
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public func expectNode(ofHash hash: UInt32) { forest.expectNode(ofHash: hash) }

  /// The nodes of many keys, looked for together; ``NodeID/forestRoot`` for those that are none's,
  /// and now and then for another one.
  ///
  /// As long as ``freedKeyCount`` stays the same, they are the nodes of these keys.
  ///
  /// - Parameters:
  ///   - keys: the keys, as ranges of `bytes`.
  ///   - bytes: what they are part of.
  /// - Returns: the nodes, in the order of the keys.
  /// - Complexity: O(*k*) on average for *k* keys.
  @specialized(where Width == Fanout<64>)
  public func nodes(forKeys keys: [Range<Int>], in bytes: [UInt8]) -> [NodeID] {
    forest.nodes(forKeys: keys, in: bytes.span)
  }

  /// How many keys nodes have given up, those counted that they took back.
  public var freedKeyCount: Int { forest.keyTable.removedCount }

  /// A node's key.
  ///
  /// Also that of a node that the running transaction removed.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func key(of node: NodeID) -> ArraySlice<UInt8> { forest.key(of: node) }

  /// A node's object as its bytes came; no bytes at all stand for `null`.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func object(of node: NodeID) -> ArraySlice<UInt8> { forest.object(of: node) }

  /// All keys, each told by its slice.
  ///
  /// Only to be held while the tree stays as it is: a change would have to copy what it touches.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func keyBytes() -> ByteArena { forest.keyArena }

  /// Which of ``keyBytes()`` is a node's key.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func keySlice(of node: NodeID) -> ByteArena.Slice { forest[node].key }

  /// Which of ``keyBytes()`` and ``objectBytes()`` are a node's key and object; an empty slice
  /// stands for `null`.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func stringSlices(of node: NodeID) -> (key: ByteArena.Slice, object: ByteArena.Slice) {
    let record = forest[node]
    return (record.key, record.object)
  }

  /// All objects; see ``keyBytes()``.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func objectBytes() -> ByteArena { forest.objectArena }

  /// Appends a node's key to bytes, which is cheaper than asking for it.
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

  /// Appends a node's object to bytes; no bytes at all stand for `null`.
  ///
  /// - Complexity: O(length of the object).
  @specialized(where Width == Fanout<64>)
  public func appendObject(of node: NodeID, to bytes: inout [UInt8]) {
    forest.objectArena.append(forest[node].object, to: &bytes)
  }

  /// A node's parent; ``NodeID/forestRoot`` for a root.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func parent(of node: NodeID) -> NodeID { forest[node].parent }

  /// How many children a node has.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func childCount(of node: NodeID) -> Int { Int(forest[node].childCount) }

  /// What is known about a node's children.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func childState(of node: NodeID) -> ChildState { forest[node].childState }

  /// A node's depth; 0 for a root.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func depth(of node: NodeID) -> Int { Int(forest.place(of: node).depth) - 1 }

  /// How many siblings stand before a node.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func position(of node: NodeID) -> Int {
    forest.childPosition(of: forest.place(of: node))
  }

  /// The `index`-th child of a node.
  ///
  /// - Precondition: `index` is below the child count.
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func child(_ index: Int, of parent: NodeID) -> NodeID {
    forest.node(at: forest.child(index, of: forest.place(of: parent)))
  }

  /// Shows the children of a node in order until `body` answers false.
  ///
  /// - Complexity: O(log *n*) a child.
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

  /// How many nodes there are at and below one.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func subtreeSize(of node: NodeID) -> Int {
    let place = forest.place(of: node)
    return Int(forest.subtreeEnd(place) - place.position)
  }

  /// Whether a node lies below another, or is it.
  ///
  /// - Complexity: O(log *n*).
  @specialized(where Width == Fanout<64>)
  public func isNode(_ node: NodeID, atOrBelow top: NodeID) -> Bool {
    let place = forest.place(of: top)
    let position = forest.place(of: node).position
    return place.position <= position && position < forest.subtreeEnd(place)
  }

  /// Recomputes everything that is stored and compares; for tests.
  ///
  /// - Complexity: O(*n* log *n*).
  @specialized(where Width == Fanout<64>)
  public func checkInvariants() {
    forest.checkInvariants()
    indexes.checkInvariants(in: forest)
    for slot in watchers.indices { checkLayer(at: slot) }
    for watcher in watchers where !watcher.view.isVacant {
      watcher.view.checkInvariants(in: forest, indexes)
      watcher.aside?.checkInvariants(in: forest, indexes)
      watcher.delta?.checkInvariants()
    }
    checkMemory()
  }
}
