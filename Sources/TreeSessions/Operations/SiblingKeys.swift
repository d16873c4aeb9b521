import TreeDomain

/// The sort keys of siblings in their current order, sorted or not.
///
/// Finds the first key that is greater than a given one without reading all keys. The keys are in
/// chunks. A binary tree above them has the number of keys in each subtree and the greatest one.
struct SiblingKeys {
  private struct Summary {
    var count = 0
    var greatest: SortKey?
  }

  /// The number of keys in a new chunk.
  ///
  /// A chunk with twice as many is split.
  static let chunkSize = 64

  private var chunks: [[SortKey]]
  /// The nodes of the tree: the root at 1, and the children of node *i* at 2*i* and 2*i* + 1.
  ///
  /// The second half contains the summaries of the chunks.
  private var summaries: [Summary] = []

  /// - Complexity: O(*n*).
  init(_ keys: [SortKey]) {
    chunks = stride(from: 0, to: keys.count, by: Self.chunkSize).map {
      Array(keys[$0..<min($0 + Self.chunkSize, keys.count)])
    }
    if chunks.isEmpty { chunks = [[]] }
    summarize()
  }

  /// The number of keys.
  var count: Int { summaries[1].count }

  private var firstLeaf: Int { summaries.count / 2 }

  /// Returns the index of the first key that is greater than another one; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - key: The other key.
  ///   - start: The first index to check.
  /// - Returns: The index.
  /// - Complexity: O(log *n*), and up to 4 × ``chunkSize`` comparisons.
  func firstIndex(greaterThan key: SortKey, from start: Int = 0) -> Int? {
    guard start < count else { return nil }
    let (chunk, offset) = locate(start)
    if let found = chunks[chunk][offset...].firstIndex(where: { key < $0 }) {
      return start - offset + found
    }
    guard let next = self.chunk(behind: chunk, withKeyGreaterThan: key),
      let found = chunks[next].firstIndex(where: { key < $0 })
    else { return nil }
    return count(before: next) + found
  }

  /// - Complexity: O(log *n*). O(*n*) if a chunk is split, at most once in about ``chunkSize``
  ///   insertions.
  mutating func insert(_ key: SortKey, at index: Int) {
    let (chunk, offset) = locate(index)
    chunks[chunk].insert(key, at: offset)
    guard chunks[chunk].count >= 2 * Self.chunkSize else { return update(chunk) }
    let rest = Array(chunks[chunk][Self.chunkSize...])
    chunks[chunk].removeLast(rest.count)
    chunks.insert(rest, at: chunk + 1)
    summarize()
  }

  /// - Complexity: O(log *n*).
  mutating func remove(at index: Int) {
    let (chunk, offset) = locate(index)
    chunks[chunk].remove(at: offset)
    update(chunk)
  }

  /// - Complexity: O(log *n*).
  mutating func replace(at index: Int, by key: SortKey) {
    let (chunk, offset) = locate(index)
    chunks[chunk][offset] = key
    update(chunk)
  }

  // MARK: The tree above the chunks

  private mutating func summarize() {
    var leaves = 1
    while leaves < chunks.count { leaves *= 2 }
    summaries = Array(repeating: Summary(), count: 2 * leaves)
    for chunk in chunks.indices { summaries[leaves + chunk] = summary(of: chunk) }
    for node in (1..<leaves).reversed() { summaries[node] = summary(above: node) }
  }

  private mutating func update(_ chunk: Int) {
    var node = firstLeaf + chunk
    summaries[node] = summary(of: chunk)
    while node > 1 {
      node /= 2
      summaries[node] = summary(above: node)
    }
  }

  private func summary(of chunk: Int) -> Summary {
    Summary(count: chunks[chunk].count, greatest: chunks[chunk].max())
  }

  private func summary(above node: Int) -> Summary {
    let (left, right) = (summaries[2 * node], summaries[2 * node + 1])
    let greatest = [left.greatest, right.greatest].compactMap(\.self).max()
    return Summary(count: left.count + right.count, greatest: greatest)
  }

  /// Returns the chunk that contains an index, and the offset there.
  ///
  /// An index equal to the count is the end of the last chunk.
  private func locate(_ index: Int) -> (chunk: Int, offset: Int) {
    precondition(index <= count, "there are not so many siblings")
    if index == count { return (chunks.count - 1, chunks[chunks.count - 1].count) }
    var node = 1
    var rest = index
    while node < firstLeaf {
      node *= 2
      if rest >= summaries[node].count {
        rest -= summaries[node].count
        node += 1
      }
    }
    return (node - firstLeaf, rest)
  }

  private func count(before chunk: Int) -> Int {
    var node = firstLeaf + chunk
    var count = 0
    while node > 1 {
      if node % 2 == 1 { count += summaries[node - 1].count }
      node /= 2
    }
    return count
  }

  private func chunk(behind chunk: Int, withKeyGreaterThan key: SortKey) -> Int? {
    func isCandidate(_ node: Int) -> Bool { summaries[node].greatest.map { key < $0 } ?? false }
    var node = firstLeaf + chunk
    while node % 2 == 1 || !isCandidate(node + 1) {
      node /= 2
      if node <= 1 { return nil }
    }
    node += 1
    while node < firstLeaf {
      node *= 2
      if !isCandidate(node) { node += 1 }
    }
    return node - firstLeaf
  }
}
