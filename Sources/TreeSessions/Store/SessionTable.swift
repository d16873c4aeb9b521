import TreeDomain

/// The table of sessions and trees.
struct SessionTable {
  /// A weak reference to a tree.
  private struct Handle {
    weak var tree: LockedTree?
  }

  /// The result of looking up a session.
  enum Finding {
    case found(LockedTree)
    case expired(LockedTree)
    case gone
    /// The session does not exist. Storage was asked before, or the session was deleted.
    case missing
    case unknown
  }

  /// The sessions in memory.
  var sessions = PartedTable<SessionID, Entry>()
  /// The sessions in memory with a secret, by the selector of its digest.
  private var selected = PartedTable<UInt128, SessionID>()
  /// True if a stop was announced.
  var isDraining = false
  /// The number of sessions, in memory or not.
  var sessionCount = 0
  /// Stored trees, which may be in memory, by number.
  private var handles = PartedTable<TreeNumber, Handle>()
  /// Sessions whose last use should be stored.
  ///
  /// Each is in the list once.
  var touched: [SessionID] = []
  /// Last uses that are not stored yet, of sessions that are no longer in memory.
  var pending: [SessionID: Int] = [:]
  private(set) var trees = PartedTable<TreeID, LockedTree>()
  /// The ids of ``trees``, sorted by their bytes.
  private var treeIDs: [TreeID] = []
  /// The reading of the clocks that was last sent to storage, or else that of the start; nil after
  /// a lost write.
  var storedClock: ClockReading?
  /// True if a reading of the clocks was sent to storage.
  var isClockStored = false
  /// The revisions above which new trees begin.
  var retired = RetiredRevisions()
  /// The sessions that are being made, which count towards their limit.
  var reservedSessions: Set<SessionID> = []
  /// The shared trees that are being made, which count towards their limit.
  var reservedTrees: Set<TreeID> = []
  private(set) var followers = 0
  /// The sessions with followers.
  private(set) var followed: Set<SessionID> = []
  /// The results of creation requests with an idempotency key.
  var replays = Replays<Created<Creation>>()
  /// The memory of ``replays`` that was counted last, in bytes.
  private var countedReplays = 0
  /// The idempotency keys of running creation requests, with their start times.
  var pendingTokens: [[UInt8]: Int] = [:]
  /// The earliest time of an answer that is kept, or that a running request will keep.
  var oldestAnswer: Int? {
    [replays.oldestTime, pendingTokens.values.min()].compactMap(\.self).min()
  }
  /// The time when trees last removed old answers.
  private var lastForgetting = 0

  /// The number of expired sessions that are remembered at least.
  private static let leastRecent = 10_000

  /// Expired sessions.
  private var tombstones = RecentIDs<SessionID>(atLeast: SessionTable.leastRecent)
  /// Ids that no session has or will have.
  ///
  /// A browser that reconnects to such a session is refused at once, and stops.
  private var missing = RecentIDs<SessionID>(atLeast: SessionTable.leastRecent)

  /// The account of the memory of the entries; nil if they are not counted.
  private let memory: MemoryAccount?

  /// Makes an empty table, the memory of whose entries is counted in an account.
  init(countedIn memory: MemoryAccount? = nil) { self.memory = memory }

  /// Counts the memory of the results that are kept.
  mutating func countReplays(in memory: MemoryAccount) {
    memory.add(replays.weight - countedReplays, to: .replays)
    countedReplays = replays.weight
  }

  /// The numbers of sessions, trees and followers.
  var statistics: ServiceStatistics {
    var statistics = ServiceStatistics()
    statistics.sharedTrees = trees.count
    statistics.sessions = sessionCount
    statistics.loadedSessions = sessions.count
    statistics.followers = followers
    return statistics
  }

  /// Looks up a session for a request.
  ///
  /// Counts as a use of the session.
  mutating func use(_ id: SessionID, at now: Int) -> Finding {
    var isNewlyTouched = false
    let finding = sessions.update(id) { entry in
      guard !entry.isExpired(at: now) else { return Finding.expired(entry.tree) }
      isNewlyTouched = entry.recordUse(at: now)
      return .found(entry.tree)
    }
    if isNewlyTouched { touched.append(id) }
    if let finding { return finding }
    if tombstones.contains(id) { return .gone }
    return missing.contains(id) ? .missing : .unknown
  }

  // MARK: Followers

  /// Counts a follower, whose session may not be known yet.
  ///
  /// Returns false if there are too many.
  mutating func admitFollower(atMost limit: Int) -> Bool {
    guard followers < limit else { return false }
    followers += 1
    memory?.add(Self.followerBytes, to: .events)
    return true
  }

  /// Uncounts a follower that was not added to its session.
  mutating func dismissFollower() {
    followers -= 1
    memory?.add(-Self.followerBytes, to: .events)
  }

  /// Counts a follower of a session.
  ///
  /// Returns false if the session has too many; `nil` if it is not in memory.
  mutating func addFollower(of id: SessionID, atMost limit: Int) -> Bool? {
    let isAdded = sessions.update(id) { entry in
      guard entry.followers < limit else { return false }
      entry.followers += 1
      return true
    }
    if isAdded == true { followed.insert(id) }
    return isAdded
  }

  /// Uncounts a follower of a session, and records that the session was in use until now.
  mutating func removeFollower(of id: SessionID, at now: Int) {
    dismissFollower()
    let change = sessions.update(id) { entry in
      entry.followers -= 1
      return (isTouched: entry.recordUse(at: now), isLast: entry.followers == 0)
    }
    guard let change else { return }
    if change.isTouched { touched.append(id) }
    if change.isLast { followed.remove(id) }
  }

  /// Records a use of sessions with followers.
  mutating func use(followed ids: ArraySlice<SessionID>, at now: Int) {
    for id in ids where sessions.update(id, { $0.recordUse(at: now) }) == true {
      touched.append(id)
    }
  }

  // MARK: Trees

  /// Adds a tree.
  ///
  /// - Precondition: No tree has its id.
  /// - Complexity: O(log *t*) comparisons for *t* trees, and moving the ids after it.
  mutating func enter(_ tree: LockedTree) {
    trees[tree.id] = tree
    treeIDs.insert(tree.id, at: place(of: tree.id))
  }

  /// Removes a tree, if it is in the table.
  mutating func remove(_ tree: LockedTree) {
    guard trees[tree.id] === tree else { return }
    trees[tree.id] = nil
    treeIDs.remove(at: place(of: tree.id))
  }

  /// Returns the first trees after an id, and true if there are more.
  func trees(after id: TreeID?, limit: Int) -> (trees: [LockedTree], hasMore: Bool) {
    var start = id.map(place) ?? 0
    if start < treeIDs.count, treeIDs[start] == id { start += 1 }
    let found = treeIDs[start...].prefix(limit)
    return (found.compactMap { trees[$0] }, start + found.count < treeIDs.count)
  }

  /// Returns the index of an id in ``treeIDs``, or the index for inserting it.
  private func place(of id: TreeID) -> Int {
    var range = treeIDs.startIndex..<treeIDs.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let isBefore = treeIDs[middle].bytes.lexicographicallyPrecedes(id.bytes)
      range = isBefore ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// Returns the trees of a part that may be in memory.
  func treesInMemory(inPart part: Int) -> [LockedTree] {
    handles.isEmpty ? heldTrees(inPart: part) : handles.part(part).values.compactMap(\.tree)
  }

  /// Returns true if old answers should be removed now, at most once in a number of seconds.
  mutating func popForgetting(at now: Int, every seconds: Int) -> Bool {
    guard now - lastForgetting > seconds else { return false }
    lastForgetting = now
    return true
  }

  // MARK: Storage

  /// Returns the tree with a number.
  ///
  /// Makes the tree if none with this number exists in the process.
  mutating func tree(_ number: TreeNumber, _ make: () -> LockedTree) -> LockedTree {
    if let known = handles[number]?.tree { return known }
    let tree = make()
    handles[number] = Handle(tree: tree)
    return tree
  }

  /// Returns the trees of a part that are in memory and were idle for too long.
  func idleTrees(inPart part: Int, at now: Int, _ limits: SessionLimits) -> [LockedTree] {
    handles.part(part).values.compactMap(\.tree).filter { tree in
      tree.isInMemory && now - tree.lastVisit > limits.idleTreeSeconds
    }
  }

  /// Removes references of a part to trees that no longer exist.
  mutating func forgetHandles(inPart part: Int) {
    handles.filterPart(part) { $0.tree != nil }
  }

  // MARK: Sessions

  /// Adds a session that is in memory.
  mutating func enter(_ id: SessionID, _ entry: Entry) {
    memory?.add(entry.byteCount - (sessions[id]?.byteCount ?? 0), to: .views)
    sessions[id] = entry
    if let digest = entry.digest { selected[digest.selector] = id }
  }

  /// Returns the session in memory that a secret may open.
  ///
  /// The caller must compare the digest.
  func session(selectedBy digest: SecretDigest) -> SessionID? { selected[digest.selector] }

  /// Ends counting the memory of the entries.
  func stopCounting() {
    let bytes = Self.entryBytes * sessions.count + Self.secretBytes * selected.count
    memory?.add(-bytes, to: .views)
    memory?.add(-Self.followerBytes * followers, to: .events)
  }

  /// Returns true if a session is remembered as expired.
  func isRemembered(_ id: SessionID) -> Bool { tombstones.contains(id) }

  /// Removes and returns a session in memory.
  mutating func take(_ id: SessionID) -> Entry? {
    let entry = sessions.removeValue(forKey: id)
    if let entry { memory?.add(-entry.byteCount, to: .views) }
    followed.remove(id)
    if let digest = entry?.digest { selected[digest.selector] = nil }
    return entry
  }

  /// Removes sessions that have ended.
  ///
  /// Skips expired sessions, which were removed and uncounted when they expired.
  mutating func remove(_ ended: some Collection<SessionID>) {
    // A session that is being made is not counted yet.
    for id in ended where !tombstones.contains(id) && !reservedSessions.contains(id) {
      _ = take(id)
      pending[id] = nil
      sessionCount -= 1
      recordMissing(id)
    }
  }

  /// Removes an expired session, and remembers its expiry.
  mutating func expire(_ id: SessionID) {
    _ = take(id)
    pending[id] = nil
    if tombstones.insert(id) { sessionCount -= 1 }
  }

  /// Records that no session has this id.
  ///
  /// Ids are random, so no session will ever have it.
  mutating func recordMissing(_ id: SessionID) { _ = missing.insert(id) }
}
