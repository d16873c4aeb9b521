import TreeDomain

/// Which sessions and trees there are.
struct SessionTable {
  struct Entry {
    let tree: LockedTree
    var idleTimeoutSeconds: Int
    /// When a request last named it.
    var lastUse: Int
    /// Streams and waiting requests, which keep it alive.
    var followers = 0

    func isExpired(at now: Int) -> Bool {
      idleTimeoutSeconds > 0 && followers == 0 && now - lastUse > idleTimeoutSeconds
    }
  }

  /// What a name stands for.
  enum Finding {
    case found(LockedTree)
    case expired(LockedTree)
    case gone
    case unknown
  }

  var sessions: [SessionID: Entry] = [:]
  private(set) var trees: [TreeID: LockedTree] = [:]
  /// The ids of the trees by their bytes.
  private var treeIDs: [TreeID] = []
  /// Sessions and trees that are being made; they count against the limits.
  var reservedSessions = 0
  var reservedTrees: Set<TreeID> = []
  var followers = 0
  /// Answers to requests that made something.
  var replays = Replays<Creation>()
  /// Idempotency keys of creations that are under way.
  var pendingTokens: Set<[UInt8]> = []

  /// Sessions that expired, and in which order, so that the oldest are forgotten first.
  private var tombstones: Set<SessionID> = []
  private var buried: [SessionID] = []

  /// Looks a session up for a request, which counts as use of it.
  mutating func use(_ id: SessionID, at now: Int) -> Finding {
    guard let entry = sessions[id] else { return tombstones.contains(id) ? .gone : .unknown }
    guard !entry.isExpired(at: now) else { return .expired(entry.tree) }
    sessions[id]?.lastUse = now
    return .found(entry.tree)
  }

  // MARK: Trees

  /// Enters a tree whose id is free.
  ///
  /// - Complexity: O(log *t*) comparisons for *t* trees; the ids behind it make room.
  mutating func enter(_ tree: LockedTree) {
    trees[tree.id] = tree
    treeIDs.insert(tree.id, at: place(of: tree.id))
  }

  /// Removes a tree, if it is still there.
  mutating func remove(_ tree: LockedTree) {
    guard trees[tree.id] === tree else { return }
    trees[tree.id] = nil
    treeIDs.remove(at: place(of: tree.id))
  }

  /// The first trees behind an id, and whether there are more.
  func trees(after id: TreeID?, limit: Int) -> (trees: [LockedTree], hasMore: Bool) {
    var start = id.map(place) ?? 0
    if start < treeIDs.count, treeIDs[start] == id { start += 1 }
    let found = treeIDs[start...].prefix(limit)
    return (found.compactMap { trees[$0] }, start + found.count < treeIDs.count)
  }

  /// Where an id is among all, or would be.
  private func place(of id: TreeID) -> Int {
    var range = treeIDs.startIndex..<treeIDs.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let isBefore = treeIDs[middle].bytes.lexicographicallyPrecedes(id.bytes)
      range = isBefore ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  // MARK: Sessions

  /// Forgets a session that expired, but not that it did.
  mutating func bury(_ id: SessionID, _ limits: SessionLimits) {
    sessions[id] = nil
    guard tombstones.insert(id).inserted else { return }
    buried.append(id)
    guard buried.count > 2 * limits.maxTombstones else { return }
    for old in buried.prefix(buried.count - limits.maxTombstones) { tombstones.remove(old) }
    buried.removeFirst(buried.count - limits.maxTombstones)
  }
}

/// Something a request made.
enum Creation: Sendable {
  case session(SessionDescription)
  case tree(TreeDescription)
}
