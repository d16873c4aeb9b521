import TreeDomain

// The table is visited in parts, so that nobody waits for its lock until all are visited.
extension SessionTable {
  /// The number of parts.
  static var partCount: Int { PartedTable<SessionID, Entry>.partCount }

  /// Returns the shared trees of a part, and the private trees of its sessions in memory.
  func heldTrees(inPart part: Int) -> [LockedTree] {
    Array(trees.part(part).values)
      + sessions.part(part).values.lazy.map(\.tree).filter(\.isPrivate)
  }

  /// Returns the sessions of a part that have expired, with their trees.
  func expiredSessions(inPart part: Int, at now: Int) -> [(id: SessionID, tree: LockedTree)] {
    sessions.part(part).filter { $0.value.isExpired(at: now) }.map { ($0, $1.tree) }
  }
}
