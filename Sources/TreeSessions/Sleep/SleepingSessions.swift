import TreeDomain
import TreeEngine

/// The sessions of a tree that sleep.
///
/// What becomes of the nodes that they name is left to the engine: one view, which shows nobody
/// anything, has all of them toggled or selected, and the engine forgets in it what it forgets in
/// every view, whether nodes are removed, become leaves, or a transaction is undone. So a write
/// costs what it costs for one session more, however many sleep.
struct SleepingSessions {
  typealias View = TreeManager.EngineTree.ViewID

  private(set) var sessions: [SessionID: SleepingSession] = [:]
  /// The view; nil as long as no session has slept.
  var view: View?
  /// Nodes that are toggled.
  var toggled = NodeNumbers()
  /// Nodes that are selected, and sections that are collapsed: forgotten with the node only.
  var present = NodeNumbers()
  /// Options that fell asleep lately, to be shared.
  private var recentOptions: [SleepingSession.Options] = []

  private static var maxRecentOptions: Int { 8 }

  /// Options as many sessions have them.
  mutating func shared(_ options: SessionOptions) -> SleepingSession.Options {
    if let known = recentOptions.first(where: { $0.options == options }) { return known }
    if recentOptions.count == Self.maxRecentOptions { recentOptions.removeFirst() }
    recentOptions.append(SleepingSession.Options(options, countedIn: optionBytes))
    return recentOptions[recentOptions.count - 1]
  }

  /// The bytes of what the sessions refer to.
  private var detailBytes = 0
  /// The bytes of the options that sessions share.
  private let optionBytes = SessionBytes()

  /// The bytes of the sessions, and of the numbers of the nodes that they name.
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

  /// Continues all sessions at the tree's revision.
  mutating func goOnAtTreeRevision() {
    sessions = sessions.mapValues { session in
      SleepingSession(options: session.options, ahead: 0, details: session.details)
    }
  }

  /// Follows the nodes to their new ids.
  mutating func renumber(_ new: NodeRenumbering) {
    toggled.renumber(new)
    present.renumber(new)
  }
}
