import TreeDomain
import TreeEngine

/// The sleeping sessions of a tree.
///
/// The engine keeps track of the nodes that they name. One extra view has all of these nodes
/// toggled or selected. The engine updates it like any view when nodes are removed, become leaves,
/// or a transaction is rolled back. So a write costs as much as for one more session, however many
/// sleep.
struct SleepingSessions {
  typealias View = TreeManager.EngineTree.ViewID

  private(set) var sessions: [SessionID: SleepingSession] = [:]
  /// The extra view; nil if no session has slept yet.
  var view: View?
  /// The numbers of toggled nodes.
  var toggled = NodeNumbers()
  /// The numbers of selected nodes and collapsed sections, which are valid while the node exists.
  var present = NodeNumbers()
  /// Options of sessions that fell asleep recently, which further sessions may share.
  private var recentOptions: [SleepingSession.Options] = []

  private static var maxRecentOptions: Int { 8 }

  /// Returns shared options that are equal to some options.
  mutating func shared(_ options: SessionOptions) -> SleepingSession.Options {
    if let known = recentOptions.first(where: { $0.options == options }) { return known }
    if recentOptions.count == Self.maxRecentOptions { recentOptions.removeFirst() }
    recentOptions.append(SleepingSession.Options(options, countedIn: optionBytes))
    return recentOptions[recentOptions.count - 1]
  }

  /// The memory that the sessions refer to in bytes.
  private var detailBytes = 0
  /// The memory of shared options in bytes.
  private let optionBytes = SessionBytes()

  /// The memory of the sessions, and of the numbers of nodes, in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    let entry = MemoryLayout<SessionID>.stride + MemoryLayout<SleepingSession>.stride
    return sessions.capacity * 4 / 3 * entry + detailBytes + optionBytes.count + toggled.byteCount
      + present.byteCount
  }

  mutating func add(_ session: SleepingSession, _ id: SessionID) {
    detailBytes += session.byteCount
    if let former = sessions.updateValue(session, forKey: id) { detailBytes -= former.byteCount }
  }

  mutating func remove(_ id: SessionID) {
    detailBytes -= sessions.removeValue(forKey: id)?.byteCount ?? 0
  }

  /// Sets the revision of all sessions to that of the tree.
  mutating func goOnAtTreeRevision() {
    sessions = sessions.mapValues { session in
      SleepingSession(options: session.options, ahead: 0, details: session.details)
    }
  }

  /// Replaces node ids after renumbering.
  mutating func renumber(_ new: NodeRenumbering) {
    toggled.renumber(new)
    present.renumber(new)
  }
}
