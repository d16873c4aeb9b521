import TreeDomain
import TreeEngine

/// One session's share of a tree: its view, its options, its revision, and who follows it.
///
/// Guarded by the lock of the tree it belongs to.
final class OpenSession {
  let id: SessionID
  var view: TreeManager.EngineTree.ViewID
  var options: SessionOptions {
    didSet {
      filterCost = options.filter?.cost ?? 0
      countFilter()
      if sharedFilter?.filter != options.filter { sharedFilter = nil }
    }
  }
  /// The filter, once it is shared with other sessions.
  var sharedFilter: SharedFilter?
  /// See ``Filter/cost``; 0 without a filter.
  private(set) var filterCost: Int
  var revisions: RevisionLog
  var replays = Replays<SessionAnswer>()
  /// Who follows it.
  var followerGroups: [FollowerGroup] = []
  /// When it was last asked for, in seconds.
  var lastUse = 0
  /// The bytes that are counted for the caller who made the session.
  var charge: MemoryCharge?
  /// The sum that the bytes of the filter are in.
  private var filterBytes: (sum: SessionBytes, own: Int)?

  convenience init(
    id: SessionID,
    view: TreeManager.EngineTree.ViewID,
    options: SessionOptions,
    revisions: RevisionLog
  ) {
    let filterCost = options.filter?.cost ?? 0
    self.init(id, view, options, filterCost, revisions)
  }

  private init(
    _ id: SessionID,
    _ view: TreeManager.EngineTree.ViewID,
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

  /// Has the session count no more, as it sleeps or has ended.
  func stopCounting() {
    if let filterBytes { filterBytes.sum.add(-filterBytes.own) }
    filterBytes = nil
    charge = nil
  }

  /// Has the bytes of the filter counted in a sum, as long as the session is awake.
  func countFilter(in sum: SessionBytes) {
    filterBytes = (sum, 0)
    countFilter()
  }

  private func countFilter() {
    guard let (sum, own) = filterBytes else { return }
    let now = options.filter?.byteCount ?? 0
    sum.add(now - own)
    filterBytes = (sum, now)
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

  var revision: Revision { revisions.current }

  /// Whether its rows are not simply those of its view in pre-order.
  var isLayered: Bool { options.filter != nil || options.order != .depthFirst }

  /// Refuses to go on at another revision than the client goes by.
  func check(_ expected: Revision?) throws(ServiceError) {
    try revision.check(expected, of: "session")
  }
}
