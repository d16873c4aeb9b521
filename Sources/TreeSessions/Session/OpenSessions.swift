import TreeDomain
import TreeEngine

/// The sessions of a tree that are awake, with their followers and filters.
struct OpenSessions: ~Copyable {
  private var byID: [SessionID: OpenSession] = [:]
  /// The numbers of followed sessions, of followers and of groups of these.
  private(set) var followed = FollowerCount()
  /// The sessions with followers.
  private var followedByID: [SessionID: OpenSession] = [:]
  /// The sessions with a filter or an order.
  let layered = LayeredSessions()
  private var filters = SharedFilters()
  /// The idle sessions of a caller, or of all, that were found and not returned yet, in descending
  /// order of their last uses.
  private var found: (payer: String?, idle: [(id: SessionID, lastUse: Int)]) = (nil, [])

  init() {}

  /// Makes copies of some sessions for a copy of the tree, with the same shared filters.
  init(
    copying sessions: some Sequence<OpenSession>,
    of other: borrowing OpenSessions,
    on data: DataCommits
  ) {
    filters = other.filters
    for session in sessions { add(OpenSession(copying: session, on: data)) }
  }

  subscript(id: SessionID) -> OpenSession? { byID[id] }

  /// The number of sessions.
  var count: Int { byID.count }

  /// All sessions.
  var values: Dictionary<SessionID, OpenSession>.Values { byID.values }

  /// The ids of all sessions.
  var keys: Dictionary<SessionID, OpenSession>.Keys { byID.keys }

  /// Adds a session.
  ///
  /// - Precondition: No session has its id.
  mutating func add(_ session: OpenSession) {
    byID[session.id] = session
    session.report(to: layered)
  }

  /// Removes a session that falls asleep or ends, and stops counting its memory.
  mutating func remove(_ session: OpenSession) {
    byID[session.id] = nil
    followedByID[session.id] = nil
    session.report(to: nil)
    session.stopCounting()
    followed.remove(session)
  }

  /// Frees unused memory.
  mutating func giveBackRoom() { byID.giveBackRoom() }

  // MARK: Followers and filters

  /// The number of answers that a change of the nodes may require.
  ///
  /// There is one for each session, and one for each further group of its followers.
  var audience: Int { byID.count + followed.groups - followed.sessions }

  /// The sessions with followers.
  var withFollowers: Dictionary<SessionID, OpenSession>.Values { followedByID.values }

  /// Adds a follower to a session.
  mutating func add(_ follower: Follower, to session: OpenSession) {
    followed.remove(session)
    session.add(follower)
    followed.add(session)
    followedByID[session.id] = session
  }

  /// Removes a follower from a session.
  mutating func remove(_ follower: Follower, of session: OpenSession) {
    followed.remove(session)
    session.remove(follower)
    followed.add(session)
    if session.followerGroups.isEmpty { followedByID[session.id] = nil }
  }

  /// Shares a session's filter with sessions that have an equal one, and with copies of the tree.
  ///
  /// - Complexity: O(length of the filter) on average; O(1) if it is shared.
  mutating func shareFilter(of session: OpenSession) {
    guard session.sharedFilter == nil, let filter = session.options.filter else { return }
    session.sharedFilter = filters.share(filter)
  }

  // MARK: Idle sessions

  /// Returns the sessions that should fall asleep, least recently used first.
  ///
  /// These are idle sessions without followers, except those that may stay awake because they were
  /// used last.
  ///
  /// - Complexity: O(*s* log *s*) for *s* awake sessions.
  func idle(since time: Int, but most: Int) -> [SessionID] {
    idle(since: time).dropLast(most).map(\.id)
  }

  /// Returns the sessions without followers that were last used before a time, least recently used
  /// first.
  ///
  /// - Complexity: O(*s* log *s*) for *s* awake sessions.
  func idle(before time: Int) -> [SessionID] { idle(since: time - 1).map(\.id) }

  /// Removes and returns the least recently used of the idle sessions that were found.
  ///
  /// They have no followers, and were last used before a time.
  ///
  /// The sessions are sorted once for many calls. So a session that was used meanwhile is not
  /// returned before they are sorted again.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - payer: The caller that pays for the session; nil for any.
  ///   - excluded: A session that is not returned.
  /// - Returns: The session; nil if there is none.
  /// - Complexity: O(log *s*) for *s* awake sessions on average, if many are idle.
  mutating func popIdle(
    before time: Int,
    of payer: String?,
    but excluded: SessionID?
  ) -> SessionID? {
    if found.payer != payer { found = (payer, []) }
    if let next = popFound(before: time, but: excluded) { return next }
    let idle = idle(since: time - 1).filter { payer == nil || $0.charge?.payer == payer }
    found.idle = idle.reversed().map { ($0.id, $0.lastUse) }
    return popFound(before: time, but: excluded)
  }

  private mutating func popFound(before time: Int, but excluded: SessionID?) -> SessionID? {
    while let (id, lastUse) = found.idle.popLast() {
      guard id != excluded, let session = byID[id], session.lastUse == lastUse,
        session.isIdle(since: time - 1)
      else { continue }
      return id
    }
    return nil
  }

  private func idle(since time: Int) -> [OpenSession] {
    byID.values.filter { $0.isIdle(since: time) }.sorted { $0.lastUse < $1.lastUse }
  }
}
