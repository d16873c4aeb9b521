import TreeDomain
import TreeEngine

// Updating the rows of filtered and reordered sessions at the end of a transaction.
extension TreeManager {
  /// Updates the rows of filtered and reordered sessions, and those of the author.
  ///
  /// The author's rows are updated in any case, because it may have had a filter before.
  ///
  /// - Throws: The errors of the meter. The caller rolls the transaction back then.
  mutating func updateAllRows(and author: OpenSession? = nil) throws(ServiceError) {
    try updateAllRows(and: author, meter)
  }

  /// Updates the rows without interruption, when nothing can be rolled back any more.
  mutating func updateAllRowsUnstopped(and author: OpenSession? = nil) {
    do throws(ServiceError) {
      try updateAllRows(and: author, meter.withoutStops())
    } catch {
      preconditionFailure("a meter without stops throws nothing")
    }
  }

  private mutating func updateAllRows(
    and author: OpenSession?,
    _ meter: WorkMeter
  ) throws(ServiceError) {
    var known = KnownMatches()
    try meter.count(sessions.count)
    try updateOrderings(meter)
    if tree.hasLayers {
      for session in sessions.values where session.isLayered && session !== author {
        try updateRows(session, meter, &known)
      }
    }
    if let author { try updateRows(author, meter, &known) }
  }

  /// Updates the rows of one session.
  private mutating func updateRows(
    _ session: OpenSession,
    _ meter: WorkMeter,
    _ known: inout KnownMatches
  ) throws(ServiceError) {
    // Without a filter, no node is checked.
    let filter = session.options.filter ?? .all([])
    let shared = sharedFilter(of: session)
    var matches = known.take(shared)
    defer { known.keep(matches, of: shared) }
    try meter.relay { () throws(Interruption) in
      try tree.updateRows(session.view) { steps throws(Interruption) in
        try meter.step(steps)
      } matches: { tree, node throws(Interruption) in
        if let isMatch = matches[node] { return isMatch }
        let isMatch = try meter.interrupting { () throws(ServiceError) in
          try Self.matches(filter, node, in: tree, meter)
        }
        if shared != nil { matches[node] = isMatch }
        return isMatch
      }
    }
  }

  /// Returns the filter that a session shares with others; `nil` if all nodes must be checked.
  private mutating func sharedFilter(of session: OpenSession) -> SharedFilter? {
    guard !tree.hasNewLayer(session.view) else { return nil }
    shareFilter(of: session)
    return session.sharedFilter
  }

  /// Returns true if a node matches a filter.
  ///
  /// A section never matches.
  ///
  /// - Throws: The errors of the meter.
  func matches(_ filter: Filter, _ node: NodeID) throws(ServiceError) -> Bool {
    try Self.matches(filter, node, in: tree, meter)
  }

  static func matches(
    _ filter: Filter,
    _ node: NodeID,
    in tree: borrowing EngineTree,
    _ meter: WorkMeter
  ) throws(ServiceError) -> Bool {
    guard tree.parent(of: node) != .forestRoot else { return false }
    let object = tree.object(of: node)
    let subject = SortOrder.Subject(
      key: tree.key(of: node),
      object: object.isEmpty ? Self.null[...] : object
    )
    return try filter.matches(subject, counting: meter.count)
  }
}
