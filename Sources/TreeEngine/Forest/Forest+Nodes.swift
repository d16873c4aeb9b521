extension Forest {
  /// The hash of a key that a node has or is to get, where it belongs beginning to be loaded.
  func expect(_ key: Span<UInt8>) -> UInt32 {
    let hash = KeyTable.hash(key)
    keyTable.prefetch(hash: hash)
    return hash
  }

  /// Begins to load what is known of the node whose key has a hash, and does not wait for it.
  func expectNode(ofHash hash: UInt32) {
    let slot = keyTable.first(ofHash: hash)
    guard let number = keyTable.candidate(forHash: hash, first: slot) else { return }
    records.prefetch(Int(number))
    sequence.prefetchLeaf(ofOwner: number)
  }

  /// Makes a node that is in no sequence yet.
  ///
  /// - Returns: nil when the key is taken.
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
    if let free = freeNodes.popLast() {
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

  /// How many children a node shows, as far as anybody knows.
  func shownChildCount(of node: NodeID) -> Int32? {
    self[node].childState.shownCount(self[node].childCount, hint: hints[node])
  }

  /// Keeps an object's bytes; the literal `null` takes no place.
  mutating func store(_ object: Span<UInt8>) -> ByteArena.Slice {
    let isNull =
      object.count == 4 && object[0] == UInt8(ascii: "n") && object[1] == UInt8(ascii: "u")
      && object[2] == UInt8(ascii: "l") && object[3] == UInt8(ascii: "l")
    return isNull ? .empty : objectArena.append(object)
  }

  private func hash(of node: NodeID) -> UInt32 { KeyTable.hash(key(of: node).span) }

  /// Makes a node's key free again; the node keeps it.
  mutating func unregisterKey(of node: NodeID) { keyTable.remove(node.index, hash: hash(of: node)) }

  /// Takes a node's key back into the table.
  mutating func registerKey(of node: NodeID) { keyTable.insert(node.index, hash: hash(of: node)) }

  /// Gives a node's place to whoever comes next.
  ///
  /// Its key is not in the table any more.
  mutating func deallocate(_ node: NodeID) {
    keyArena.discard(self[node].key)
    self[node].key = .empty
    discardObject(of: node)
    self[node].childCount = 0
    self[node].parent = .forestRoot
    if !hints.isEmpty { hints[node] = nil }
    freeNodes.append(node)
  }

  /// Forgets a node's object.
  mutating func discardObject(of node: NodeID) {
    objectArena.discard(self[node].object)
    self[node].object = .empty
  }
}
