import TreeDomain

/// Which sessions and trees there are.
struct SessionTable {
  /// A tree for as long as anybody knows it.
  private struct Handle {
    weak var tree: LockedTree?
  }

  /// What a name stands for.
  enum Finding {
    case found(LockedTree)
    case expired(LockedTree)
    case gone
    /// There is none, as storage or its deletion told.
    case missing
    case unknown
  }

  /// Those in memory.
  var sessions: [SessionID: Entry] = [:]
  /// Those of them that a secret opens, by the selector of its digest.
  private var selected: [UInt128: SessionID] = [:]
  /// Whether the end is near.
  var isDraining = false
  /// How many there are, in memory or not.
  var sessionCount = 0
  /// Trees that are stored, and may be in memory, by their numbers.
  private var handles: [TreeNumber: Handle] = [:]
  /// Sessions of which storage does not know well enough when they were last used, once each.
  var touched: [SessionID] = []
  /// When sessions that are not in memory were last used, where storage could not be told.
  var owed: [SessionID: Int] = [:]
  private(set) var trees: [TreeID: LockedTree] = [:]
  /// The ids of the trees by their bytes.
  private var treeIDs: [TreeID] = []
  /// By how many seconds storage says that the wall clock is ahead; nil where that is not certain.
  var storedLead: Int? = 0
  /// What new trees go on behind.
  var retired = RetiredRevisions()
  /// Sessions and trees that are being made; they count against the limits.
  var reservedSessions: Set<SessionID> = []
  var reservedTrees: Set<TreeID> = []
  private(set) var followers = 0
  /// The sessions that somebody follows.
  private var followed: Set<SessionID> = []
  /// Answers to requests that made something, with what each waits for.
  var replays = Replays<Created<Creation>>()
  /// Idempotency keys of creations that are under way, with when those began.
  var pendingTokens: [[UInt8]: Int] = [:]
  /// The oldest time that may stand in storage with an answer that is kept, or will be.
  var oldestAnswer: Int? {
    [replays.oldestTime, pendingTokens.values.min()].compactMap(\.self).min()
  }
  /// When trees were last asked to forget old answers.
  private var lastForgetting = 0

  /// Sessions that expired.
  private var tombstones: RecentIDs<SessionID>
  /// Ids of which no session is there, nor will be.
  ///
  /// A browser that follows such a one again and again is refused at once, and so stops.
  private var missing: RecentIDs<SessionID>

  init(_ limits: SessionLimits) {
    tombstones = RecentIDs(atLeast: limits.maxExpiredSessions)
    missing = RecentIDs(atLeast: limits.maxExpiredSessions)
  }

  /// How many names there are of each kind.
  var statistics: ServiceStatistics {
    var statistics = ServiceStatistics()
    statistics.sharedTrees = trees.count
    statistics.sessions = sessionCount
    statistics.loadedSessions = sessions.count
    statistics.followers = followers
    return statistics
  }

  /// Looks a session up for a request, which counts as use of it.
  mutating func use(_ id: SessionID, at now: Int) -> Finding {
    guard let place = sessions.index(forKey: id) else {
      if tombstones.contains(id) { return .gone }
      return missing.contains(id) ? .missing : .unknown
    }
    let entry = sessions.values[place]
    guard !entry.isExpired(at: now) else { return .expired(entry.tree) }
    noteUse(of: id, entry, at: place, now)
    return .found(entry.tree)
  }

  private mutating func noteUse(
    of id: SessionID,
    _ entry: Entry,
    at place: Dictionary<SessionID, Entry>.Index,
    _ now: Int
  ) {
    if entry.lastUse != now { sessions.values[place].lastUse = now }
    if !entry.isTouched, now - entry.storedUse > StoredSession.grain(entry.idleTimeoutSeconds) {
      sessions.values[place].isTouched = true
      touched.append(id)
    }
  }

  // MARK: Followers

  /// Counts one more follower, of a session that may not be known yet; false if there are as many
  /// as there may be.
  mutating func admitFollower(atMost limit: Int) -> Bool {
    guard followers < limit else { return false }
    followers += 1
    return true
  }

  /// Counts one less that never came to its session.
  mutating func dismissFollower() { followers -= 1 }

  /// Counts an admitted follower as one of its session; false if that has as many as it may, `nil`
  /// if it is not in memory.
  mutating func addFollower(of id: SessionID, atMost limit: Int) -> Bool? {
    guard let place = sessions.index(forKey: id) else { return nil }
    guard sessions.values[place].followers < limit else { return false }
    sessions.values[place].followers += 1
    followed.insert(id)
    return true
  }

  /// Counts one less that followed a session, which was used up to now.
  mutating func removeFollower(of id: SessionID, at now: Int) {
    dismissFollower()
    guard let place = sessions.index(forKey: id) else { return }
    sessions.values[place].followers -= 1
    noteUse(of: id, sessions.values[place], at: place, now)
    if sessions.values[place].followers == 0 { followed.remove(id) }
  }

  /// Notes that sessions are used that somebody follows.
  ///
  /// - Complexity: O(sessions that are followed).
  mutating func useFollowed(at now: Int) {
    for id in followed {
      guard let place = sessions.index(forKey: id) else { continue }
      noteUse(of: id, sessions.values[place], at: place, now)
    }
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

  /// Trees that are shared, or that a session in memory has for its own.
  var heldTrees: [LockedTree] {
    Array(trees.values) + sessions.values.lazy.map(\.tree).filter(\.isPrivate)
  }

  /// All trees that may be in memory.
  var treesInMemory: [LockedTree] {
    handles.isEmpty ? heldTrees : handles.values.compactMap(\.tree)
  }

  /// Whether it is time again, after so many seconds, to forget old answers.
  mutating func takeForgetting(at now: Int, every seconds: Int) -> Bool {
    guard now - lastForgetting > seconds else { return false }
    lastForgetting = now
    return true
  }

  // MARK: Storage

  /// The tree of a number, if anybody knows it, or else a new one.
  mutating func tree(_ number: TreeNumber, _ make: () -> LockedTree) -> LockedTree {
    if let known = handles[number]?.tree { return known }
    let tree = make()
    handles[number] = Handle(tree: tree)
    return tree
  }

  /// Trees in memory that nobody has used for as long as they may stay.
  func idleTrees(at now: Int, _ limits: SessionLimits) -> [LockedTree] {
    handles.values.compactMap(\.tree).filter { tree in
      tree.isInMemory && now - tree.lastVisit > limits.idleTreeSeconds
    }
  }

  /// Forgets numbers whose trees nobody knows any more.
  mutating func forgetHandles() { handles = handles.filter { $0.value.tree != nil } }

  // MARK: Sessions

  /// Enters a session that is in memory.
  mutating func enter(_ id: SessionID, _ entry: Entry) {
    sessions[id] = entry
    if let digest = entry.digest { selected[digest.selector] = id }
  }

  /// The session in memory that a secret may open; whether it does is to be compared.
  func session(selectedBy digest: SecretDigest) -> SessionID? { selected[digest.selector] }

  /// Whether a session is remembered as one that expired.
  func isRemembered(_ id: SessionID) -> Bool { tombstones.contains(id) }

  /// Forgets a session, and gives what was known of it.
  mutating func take(_ id: SessionID) -> Entry? {
    let entry = sessions.removeValue(forKey: id)
    followed.remove(id)
    if let digest = entry?.digest { selected[digest.selector] = nil }
    return entry
  }

  /// Removes sessions that have ended; those that expired are not counted any more already.
  mutating func remove(_ ended: [SessionID]) {
    // One that is still being made is not counted yet.
    for id in ended where !tombstones.contains(id) && !reservedSessions.contains(id) {
      _ = take(id)
      owed[id] = nil
      sessionCount -= 1
      noteMissing(id)
    }
  }

  /// Forgets a session that expired, but not that it did.
  mutating func expire(_ id: SessionID) {
    _ = take(id)
    owed[id] = nil
    if tombstones.insert(id) { sessionCount -= 1 }
  }

  /// Notes that there is no session of an id, nor will be, as ids are random.
  mutating func noteMissing(_ id: SessionID) { _ = missing.insert(id) }
}

/// Something a request made, or that it ended something.
enum Creation: Equatable, Sendable {
  case end
  case session(SessionDescription)
  case tree(TreeDescription)
}
