import TreeDomain
import TreeEngine

// The memory that a tree takes while it is read from storage, where nothing else bounds it.
extension TreeManager {
  /// Makes sure that there is memory to do once more what an entry tells; all sessions sleep if
  /// that makes the room.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - bytes: The bytes of its text.
  /// - Returns: False if there is no memory.
  mutating func makeRoom(toReplay entry: JournalEntry, of bytes: Int) -> Bool {
    if usage.memory.hasRoom(for: self.bytes(toReplay: entry, of: bytes)) { return true }
    // Nobody uses them yet.
    _ = putToSleep(Array(sessions.keys), unusedSince: .max, naming: .max)
    return usage.memory.hasRoom(for: self.bytes(toReplay: entry, of: bytes))
  }

  /// About how many bytes an entry adds to the tree and its sessions, at most.
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
  /// About how many bytes the tree takes that is read from the snapshot, without rows of filters.
  var likelyBytes: Int { nodeCount * 48 + parts * SnapshotWriter.partBytes }
}

extension Usage {
  /// The reason not to read a tree for which there is no memory.
  var tooLarge: StorageError {
    .tooLarge("the service would hold more than \(memory.limit) bytes (`maxMemoryBytes`)")
  }
}
