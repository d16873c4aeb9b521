// Lookup of many keys at once.
extension Forest {
  /// Returns the node of each key, or ``NodeID/forestRoot`` if the sequence has no such node.
  ///
  /// It may also return the forest root for a key that shares its hash with another one. The caller
  /// then looks this key up alone.
  ///
  /// Each step of a lookup mostly misses the cache. So each step is made for all keys before the
  /// next, and the misses overlap. A lookup of the found nodes soon after hits the cache.
  ///
  /// - Parameters:
  ///   - keys: the keys, as ranges of `bytes`.
  ///   - bytes: the buffer that contains the keys.
  /// - Returns: the nodes, in the order of the keys.
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
