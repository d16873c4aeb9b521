extension Forest {
  /// Returns the hash of a key and prefetches its slot in the key table.
  func expect(_ key: Span<UInt8>) -> UInt32 {
    let hash = KeyTable.hash(key)
    keyTable.prefetch(hash: hash)
    return hash
  }

  /// Prefetches the record of the node whose key has a hash, and the number of its leaf.
  func expectNode(ofHash hash: UInt32) {
    let slot = keyTable.first(ofHash: hash)
    guard let number = keyTable.candidate(forHash: hash, first: slot) else { return }
    records.prefetch(Int(number))
    sequence.prefetchLeaf(ofOwner: number)
  }

  /// Makes a node that is not yet in the sequence.
  ///
  /// - Returns: The node, or nil if the key exists.
  mutating func allocate(
    key: Span<UInt8>,
    hash: UInt32,
    object: Span<UInt8>,
    childState: ChildState,
    hint: Int32?
  ) -> NodeID? {
    guard
      case .vacancy(let segment, let slot) = keyTable.look(
        hash: hash,
        matches: { hasKey(key, NodeID($0)) }
      )
    else { return nil }
    let keySlice = keyArena.append(key)
    let objectSlice = store(object)
    var record = NodeRecord(childState: childState)
    record.key = keySlice
    record.object = objectSlice
    let node: NodeID
    if let free = popFreeNode() {
      node = free
      self[node] = record
    } else {
      node = NodeID(Int32(records.count))
      records.append(record)
    }
    if let hint { hints[node] = hint }
    keyTable.insert(node.index, hash: hash, inSegment: segment, at: slot)
    return node
  }

  /// Removes and returns an unused id; nil if there is none.
  private mutating func popFreeNode() -> NodeID? {
    reservedNodes?.isInUse == true ? reservedNodes?.free.popLast() : freeNodes.popLast()
  }

  /// Returns the number of children to show, or nil if it is unknown.
  func shownChildCount(of node: NodeID) -> Int32? {
    self[node].childState.shownCount(self[node].childCount, hint: hints[node])
  }

  /// Stores the bytes of an object.
  ///
  /// The literal `null` is stored as an empty slice.
  mutating func store(_ object: Span<UInt8>) -> ByteArena.Slice {
    let isNull =
      object.count == 4 && object[0] == UInt8(ascii: "n") && object[1] == UInt8(ascii: "u")
      && object[2] == UInt8(ascii: "l") && object[3] == UInt8(ascii: "l")
    return isNull ? .empty : objectArena.append(object)
  }

  private func hash(of node: NodeID) -> UInt32 { KeyTable.hash(key(of: node).span) }

  /// Removes a node's key from the key table.
  ///
  /// The node itself keeps its key.
  mutating func unregisterKey(of node: NodeID) { keyTable.remove(node.index, hash: hash(of: node)) }

  /// Inserts a node's key into the key table again.
  mutating func registerKey(of node: NodeID) { keyTable.insert(node.index, hash: hash(of: node)) }

  /// Frees a node, so that its id can be reused.
  ///
  /// - Precondition: Its key is not in the key table.
  mutating func deallocate(_ node: NodeID) {
    keyArena.discard(self[node].key)
    self[node].key = .empty
    discardObject(of: node)
    self[node].childCount = 0
    self[node].parent = .forestRoot
    if !hints.isEmpty { hints[node] = nil }
    if reservedNodes?.isInUse == true {
      reservedNodes?.free.append(node)
    } else {
      freeNodes.append(node)
    }
  }

  /// Discards a node's object.
  mutating func discardObject(of node: NodeID) {
    objectArena.discard(self[node].object)
    self[node].object = .empty
  }

  /// Frees removed nodes that the history does not name any more.
  mutating func free(_ removed: [NodeID], passing pass: (Int) -> Void = { _ in }) {
    for node in removed {
      pass(1)
      deallocate(node)
    }
  }

  // MARK: Objects

  /// Compares the bytes of two objects.
  func sameBytes(_ left: ByteArena.Slice, _ right: ByteArena.Slice) -> Bool {
    left == right || objectArena.span(left).elementsEqual(objectArena.span(right))
  }

  /// Compares objects, and counts their bytes.
  func sameBytes(
    _ left: ByteArena.Slice,
    _ right: ByteArena.Slice,
    _ count: (Int) throws(Interruption) -> Void
  ) throws(Interruption) -> Bool {
    if left == right { return true }
    guard left.count == right.count else { return false }
    try count(left.count / Self.bytesPerStep)
    return sameBytes(left, right)
  }

  /// The number of bytes that are read in the time of a step.
  private static var bytesPerStep: Int { 64 }

  // MARK: Walks

  /// Returns the number of nodes of a subtree, its root included.
  ///
  /// - Complexity: O(log *n*).
  func subtreeSize(of node: NodeID) -> Int {
    let place = place(of: node)
    return Int(subtreeEnd(place) - place.position)
  }

  /// Calls a function with the children of a node in order, until it returns false.
  ///
  /// - Complexity: O(log *n*) for each child.
  func forEachChild(of parent: NodeID, _ body: (NodeID) -> Bool) {
    var rest = self[parent].childCount
    guard rest > 0 else { return }
    var next: Place? = child(0, of: place(of: parent))
    while rest > 0, let place = next, body(node(at: place)) {
      rest -= 1
      next = afterSubtree(place)
    }
  }

  /// Calls a function with the nodes in pre-order, until it returns false.
  ///
  /// - Complexity: O(nodes passed to `body` + log *n*).
  func forEachNode(after node: NodeID? = nil, _ body: (NodeID) -> Bool) {
    var next = next(place(of: node ?? .forestRoot))
    while let place = next, body(self.node(at: place)) { next = self.next(place) }
  }

  // MARK: Many keys at once

  /// Returns the node of each key, or ``NodeID/forestRoot`` if the sequence has no such node.
  ///
  /// It may also return the forest root for a key that shares its hash with another one. The caller
  /// then looks this key up alone.
  ///
  /// Each step of a lookup mostly misses the cache. So each step is made for all keys before the
  /// next, and the misses overlap. A lookup of the found nodes soon after hits the cache.
  ///
  /// - Parameters:
  ///   - keys: The keys, as ranges of `bytes`.
  ///   - bytes: The buffer that contains the keys.
  /// - Returns: The nodes, in the order of the keys.
  /// - Complexity: O(*k*) on average for *k* keys.
  func nodes(forKeys keys: [Range<Int>], in bytes: Span<UInt8>) -> [NodeID] {
    let hashes = keys.map { KeyTable.hash(bytes.extracting($0)) }
    let slots = hashes.map { keyTable.first(ofHash: $0) }
    var nodes = zip(hashes, slots).map { hash, slot in
      NodeID(keyTable.candidate(forHash: hash, first: slot) ?? NodeID.forestRoot.index)
    }
    let records = nodes.map { self[$0].key }
    for place in nodes.indices {
      let isKey = isEqual(keyArena.span(of: records[place]), bytes.extracting(keys[place]))
      if !isKey { nodes[place] = .forestRoot }
    }
    // Loads the places of the nodes, which callers ask for next.
    let known = sequence.leafOf.count
    let leaves = nodes.map { $0.offset < known ? sequence.leafOf[$0.offset] : -1 }
    let owners = leaves.map { $0 < 0 ? -1 : sequence[$0, 0].owner }
    for place in nodes.indices where owners[place] < 0 { nodes[place] = .forestRoot }
    return nodes
  }

  private func isEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for place in left.indices where left[place] != right[place] { return false }
    return true
  }
}
