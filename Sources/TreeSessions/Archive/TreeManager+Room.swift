import TreeDomain
import TreeEngine

// The memory of a tree while it is read from storage.
extension TreeManager {
  /// Makes sure that there is memory to replay an entry.
  ///
  /// Puts all sessions to sleep if that is necessary.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - bytes: The size of its text in bytes.
  /// - Returns: False if there is not enough memory.
  mutating func makeRoom(toReplay entry: JournalEntry, of bytes: Int) -> Bool {
    if usage.memory.hasRoom(for: self.bytes(toReplay: entry, of: bytes)) { return true }
    // No client uses the sessions while the tree is read.
    _ = putToSleep(Array(sessions.keys), unusedSince: .max, naming: .max)
    return usage.memory.hasRoom(for: self.bytes(toReplay: entry, of: bytes))
  }

  /// Returns an upper estimate of the memory that replaying an entry takes, in bytes.
  private func bytes(toReplay entry: JournalEntry, of bytes: Int) -> Int {
    var bytes = 2 * bytes
    switch entry.event {
    case .openSession(let new): bytes += self.bytes(of: new)
    case .importNodes(let nodes):
      bytes += EngineTree.byteCount(ofNodes: nodes.nodeCount) + nodes.byteCount
    case .patch(let patch):
      if let session = entry.session.flatMap({ sessions[$0] }) {
        bytes += self.bytes(of: patch, for: session)
      }
    case .makeTree, .closeSession, .batch: break
    }
    guard let sleeping = entry.session.flatMap({ asleep.sessions[$0] }) else { return bytes }
    return bytes + self.bytes(waking: sleeping.options.options, naming: sleeping.state.nodeCount)
  }
}

extension StoredSnapshot {
  /// The estimated memory of the tree in the snapshot, without the rows of filters, in bytes.
  var likelyBytes: Int { nodeCount * 48 + parts * SnapshotWriter.partBytes }
}

extension Usage {
  /// The error if there is not enough memory to read a tree.
  var tooLarge: StorageError {
    .tooLarge("the service would hold more than \(memory.limit) bytes (`maxMemoryBytes`)")
  }
}
