import TreeDomain
import TreeEngine

// The rows of filtered and breadth-first sessions follow what transactions do.
extension TreeManager {
  /// Brings the rows of filtered and breadth-first sessions up to what the transaction did; and of
  /// its author, which may have been one of them until now, and for which what happened is about to
  /// be read out, to be told and to be remembered.
  ///
  /// - Throws: What the meter throws; the caller undoes the transaction then.
  mutating func settleAll(and author: OpenSession? = nil) throws(ServiceError) {
    try settleAll(and: author, meter)
  }

  /// Does the same where nothing can be undone any more.
  mutating func settleUnstopped(and author: OpenSession? = nil) {
    do throws(ServiceError) {
      try settleAll(and: author, meter.withoutStops())
    } catch {
      preconditionFailure("a meter without stops throws nothing")
    }
  }

  private mutating func settleAll(
    and author: OpenSession?,
    _ meter: WorkMeter
  ) throws(ServiceError) {
    var known = KnownMatches()
    try meter.count(sessions.count)
    if tree.hasLayers {
      for session in sessions.values where session.isLayered && session !== author {
        try settle(session, meter, &known)
      }
    }
    if let author { try settle(author, meter, &known) }
  }

  /// Brings the rows of one session up to what the transaction did.
  private mutating func settle(
    _ session: OpenSession,
    _ meter: WorkMeter,
    _ known: inout KnownMatches
  ) throws(ServiceError) {
    // Without a filter nothing is asked.
    let filter = session.options.filter ?? .all([])
    let shared = sharedFilter(of: session)
    var matches = known.take(shared)
    defer { known.keep(matches, of: shared) }
    var refusal: ServiceError?
    do throws(Interruption) {
      try tree.settle(session.view) { steps throws(Interruption) in
        do throws(ServiceError) {
          try meter.count(steps)
        } catch {
          refusal = error
          throw Interruption()
        }
      } matches: { tree, node throws(Interruption) in
        do throws(ServiceError) {
          if let isMatch = matches[node] { return isMatch }
          let isMatch = try Self.matches(filter, node, in: tree, meter)
          if shared != nil { matches[node] = isMatch }
          return isMatch
        } catch {
          refusal = error
          throw Interruption()
        }
      }
    } catch {
      throw refusal ?? ServiceError(.internalError, "a step was stopped without a reason")
    }
  }

  /// Returns the filter that a session shares with others; `nil` where it asks about all nodes.
  private mutating func sharedFilter(of session: OpenSession) -> SharedFilter? {
    guard !tree.hasNewLayer(session.view) else { return nil }
    shareFilter(of: session)
    return session.sharedFilter
  }

  /// Returns true if a node is a match of a filter; a section never is.
  ///
  /// - Throws: What the meter throws.
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
