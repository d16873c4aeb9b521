import TreeDomain
import TreeEngine

/// The state of a session in a tree: its view, options, revision and followers.
///
/// The lock of the tree guards it.
final class OpenSession {
  let id: SessionID
  /// The view of the engine that has the rows.
  var view: EngineTree.ViewID
  /// The options, which a request may replace.
  var options: SessionOptions {
    didSet {
      filterCost = options.filter?.cost ?? 0
      recordLayers()
      countOptions()
      if sharedFilter?.filter != options.filter { sharedFilter = nil }
    }
  }
  /// The instance of the filter that sessions with an equal filter share; nil if there is none yet.
  var sharedFilter: SharedFilter?
  /// The ``Filter/cost`` of the filter; 0 without one.
  private(set) var filterCost: Int
  /// The record of the tree's sessions with a filter or an order, which this session reports to.
  private var layered: LayeredSessions?
  /// The revisions from which changes can be read.
  var revisions: RevisionLog {
    didSet { countRevisions() }
  }
  /// The answers for idempotency keys.
  var replays = Replays<SessionAnswer>()
  /// The followers, grouped by options.
  var followerGroups: [FollowerGroup] = []
  /// The time of the last use in seconds.
  var lastUse = 0
  /// The memory that is charged to the caller who opened the session, or whose call woke it.
  var charge: MemoryCharge?
  /// The counter that contains the memory of the options and revisions, and their parts of it.
  private var counted: (sum: SessionBytes, options: Int, revisions: Int)?

  convenience init(
    id: SessionID,
    view: EngineTree.ViewID,
    options: SessionOptions,
    revisions: RevisionLog
  ) {
    let filterCost = options.filter?.cost ?? 0
    self.init(id, view, options, filterCost, revisions)
  }

  private init(
    _ id: SessionID,
    _ view: EngineTree.ViewID,
    _ options: SessionOptions,
    _ filterCost: Int,
    _ revisions: RevisionLog
  ) {
    self.id = id
    self.view = view
    self.options = options
    self.filterCost = filterCost
    self.revisions = revisions
  }

  deinit { stopCounting() }

  /// Reports the filter and the order to a record, or to none.
  func report(to layered: LayeredSessions?) {
    self.layered?.set(nil, of: id)
    self.layered = layered
    recordLayers()
  }

  private func recordLayers() { layered?.set(isLayered ? filterCost : nil, of: id) }

  /// Stops counting the memory of the session, because it sleeps or has ended.
  func stopCounting() {
    if let (sum, options, revisions) = counted { sum.add(-options - revisions) }
    counted = nil
    charge = nil
  }

  /// Counts the memory of the options and revisions in a counter while the session is awake.
  func count(in sum: SessionBytes) {
    counted = (sum, 0, 0)
    countOptions()
    countRevisions()
  }

  private func countOptions() {
    guard let (sum, former, revisions) = counted else { return }
    let now = options.byteCount
    sum.add(now - former)
    counted = (sum, now, revisions)
  }

  private func countRevisions() {
    guard let (sum, options, former) = counted else { return }
    let now = revisions.byteCount
    guard now != former else { return }
    sum.add(now - former)
    counted = (sum, options, now)
  }

  /// Creates a copy for a copy of the tree, without followers.
  ///
  /// - Complexity: O(1).
  convenience init(copying other: OpenSession, on data: DataCommits) {
    let revisions = RevisionLog(copying: other.revisions, on: data)
    self.init(other.id, other.view, other.options, other.filterCost, revisions)
    sharedFilter = other.sharedFilter
    replays = other.replays
    lastUse = other.lastUse
  }

  /// Creates the session of a tree from a session that was opened on a copy of the tree.
  convenience init(_ opened: OpenSession, on data: DataCommits) {
    let revisions = RevisionLog(copying: opened.revisions, on: data)
    self.init(opened.id, opened.view, opened.options, opened.filterCost, revisions)
  }

  var revision: Revision { revisions.current }

  /// True if the rows have a filter or another order than tree order.
  var isLayered: Bool { options.isLayered }

  /// Returns true if the session has no followers and was last used at a time or before.
  func isIdle(since time: Int) -> Bool { followerGroups.isEmpty && lastUse <= time }

  /// Checks that the revision is the one that the client expects.
  ///
  /// - Throws: `revision-changed`.
  func check(_ expected: Revision?) throws(ServiceError) {
    try revision.check(expected, of: "session")
  }
}

extension SessionOptions {
  /// True if the rows have a filter or another order than tree order.
  var isLayered: Bool { filter != nil || order != .depthFirst || !viewSort.isEmpty }
}
