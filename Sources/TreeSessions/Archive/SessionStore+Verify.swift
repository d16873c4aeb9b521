public import TreeDomain

extension SessionStore {
  /// The results of ``SessionStore/verify()``.
  public struct Verification: Sendable {
    /// The number of trees that were read.
    public var trees = 0
    /// The number of their sessions.
    public var sessions = 0
    /// The number of their nodes.
    public var nodes = 0
    /// The findings, a sentence each.
    public var findings: [String] = []

    /// Creates results without trees or findings.
    public init() {}
  }

  /// Reads every stored tree, one at a time.
  ///
  /// - Returns: Counts and findings.
  /// - Throws: ``StorageError`` if the storage cannot be read at all.
  /// - Complexity: O(bytes stored), with the memory of the largest tree.
  public func verify() throws(StorageError) -> Verification {
    var verification = Verification()
    guard let archive = core.archive else { return verification }
    var last = TreeNumber(0)
    while true {
      let numbers = try archive.storage.trees(after: last, limit: 1_000)
      guard let newest = numbers.last else { return verification }
      last = newest
      for number in numbers {
        // Another process may change the tree, replace its snapshot, or delete it.
        try archive.storage.reading { verify(number, archive, &verification) }
      }
    }
  }

  private func verify(
    _ number: TreeNumber,
    _ archive: Archive,
    _ verification: inout Verification
  ) {
    var name = ""
    do throws(StorageError) {
      guard let stored = try archive.storage.tree(number) else { return }
      name = "tree \(String(decoding: stored.id.bytes, as: UTF8.self)): "
      var tree = TreeManager(
        absent: stored.id,
        number,
        isPrivate: stored.isPrivate,
        limits: limits,
        usage: core.usage
      )
      try archive.read(stored, into: &tree)
      verification.trees += 1
      verification.sessions += tree.sessionIDs.count
      verification.nodes += tree.nodeCount
      tree.leave()
    } catch {
      verification.findings.append(name + error.reason)
    }
  }
}
