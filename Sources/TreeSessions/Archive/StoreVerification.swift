import TreeDomain

/// The results of ``SessionStore/verify()``.
package struct StoreVerification: Sendable {
  /// The number of trees that were read.
  package var trees = 0
  /// The number of their sessions.
  package var sessions = 0
  /// The number of their nodes.
  package var nodes = 0
  /// The findings, a sentence each.
  package var findings: [String] = []

  /// Creates results without trees or findings.
  package init() {}

  /// Reads every stored tree, one at a time.
  ///
  /// - Throws: ``StorageError`` if the storage cannot be read at all.
  mutating func readAll(_ archive: Archive, _ core: StoreCore) throws(StorageError) {
    var last = TreeNumber(0)
    while true {
      let numbers = try archive.storage.trees(after: last, limit: 1_000)
      guard let newest = numbers.last else { return }
      last = newest
      for number in numbers {
        // Another process may change the tree, replace its snapshot, or delete it.
        try archive.storage.reading { read(number, archive, core) }
      }
    }
  }

  /// Reads a stored tree.
  private mutating func read(_ number: TreeNumber, _ archive: Archive, _ core: StoreCore) {
    var name = ""
    do throws(StorageError) {
      guard let stored = try archive.storage.tree(number) else { return }
      name = "tree \(String(decoding: stored.id.bytes, as: UTF8.self)): "
      var tree = TreeManager(
        absent: stored.id,
        number,
        isPrivate: stored.isPrivate,
        limits: core.limits,
        usage: core.usage
      )
      try archive.read(stored, into: &tree)
      trees += 1
      sessions += tree.sessionIDs.count
      nodes += tree.nodeCount
      tree.leave()
    } catch {
      findings.append(name + error.reason)
    }
  }
}
