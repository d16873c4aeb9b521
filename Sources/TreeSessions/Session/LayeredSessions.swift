import TreeDomain

/// The sessions with a filter or an order of their own, and the cost of their filters.
///
/// A change of nodes updates the rows of these sessions, however many others there are. Sessions
/// report their options, so that no change has to visit all sessions.
final class LayeredSessions {
  /// The ``Filter/cost`` of each session's filter, which is 0 for one with an order only.
  private var costs: [SessionID: Int] = [:]
  /// The number of tests that all filters make at a node.
  private(set) var filterCost = 0

  /// The number of sessions.
  var count: Int { costs.count }

  /// The ids of the sessions.
  var ids: Dictionary<SessionID, Int>.Keys { costs.keys }

  /// Records the cost of a session's filter; nil if it has neither a filter nor an order.
  func set(_ cost: Int?, of id: SessionID) {
    let former = costs[id]
    guard cost != former else { return }
    filterCost += (cost ?? 0) - (former ?? 0)
    costs[id] = cost
  }
}
