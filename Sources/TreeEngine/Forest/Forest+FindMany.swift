// Many keys looked for at once.
extension Forest {
  /// The nodes of keys that are in the sequence; ``NodeID/forestRoot`` for those that are none's,
  /// and now and then for one whose hash another key has, too.
  ///
  /// Each step of a search waits for a place in memory that mostly no cache holds. So each is made
  /// for all keys before the next one is: then they are waited for together. What is found can be
  /// asked for again soon without waiting.
  ///
  /// - Parameters:
  ///   - keys: the keys, as ranges of `bytes`.
  ///   - bytes: what they are part of.
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
    // Where they stand is asked for next.
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
