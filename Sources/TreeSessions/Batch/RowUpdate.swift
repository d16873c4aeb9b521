import TreeDomain
import TreeEngine

/// The update of the rows of filtered and reordered sessions at the end of a transaction.
struct RowUpdate {
  private let meter: WorkMeter
  /// The results of filters for the nodes that were checked so far.
  private var known: [ObjectIdentifier: [NodeID: Bool]] = [:]

  init(counting meter: WorkMeter) { self.meter = meter }

  /// Updates the rows of filtered and reordered sessions that the transaction may have changed, and
  /// those of the author.
  ///
  /// The author's rows are updated in any case, because it may have had a filter before.
  ///
  /// - Throws: The errors of the meter. The caller rolls the transaction back then.
  mutating func apply(
    to sessions: inout OpenSessions,
    and author: OpenSession?,
    in content: inout TreeContent
  ) throws(ServiceError) {
    try content.orderings.update(&content.tree, meter)
    if content.tree.hasLayers, content.tree.changesLayers {
      let ids = sessions.layered.ids
      try meter.count(ids.count)
      for id in ids {
        guard let session = sessions[id], session !== author else { continue }
        try updateRows(of: session, among: &sessions, in: &content.tree)
      }
    }
    if let author { try updateRows(of: author, among: &sessions, in: &content.tree) }
  }

  /// Updates the rows of one session.
  private mutating func updateRows(
    of session: OpenSession,
    among sessions: inout OpenSessions,
    in tree: inout EngineTree
  ) throws(ServiceError) {
    // Without a filter, no node is checked.
    let filter = session.options.filter ?? .all([])
    // With a new layer, all nodes must be checked.
    if !tree.hasNewLayer(session.view) { sessions.shareFilter(of: session) }
    let shared = tree.hasNewLayer(session.view) ? nil : session.sharedFilter
    var matches = shared.flatMap { known.removeValue(forKey: ObjectIdentifier($0)) } ?? [:]
    defer { if let shared { known[ObjectIdentifier(shared)] = matches } }
    let meter = meter
    try meter.relay { () throws(Interruption) in
      try tree.updateRows(session.view) { steps throws(Interruption) in
        try meter.step(steps)
      } matches: { tree, node throws(Interruption) in
        if let isMatch = matches[node] { return isMatch }
        let isMatch = try meter.interrupting { () throws(ServiceError) in
          try tree.matches(filter, node, counting: meter)
        }
        if shared != nil { matches[node] = isMatch }
        return isMatch
      }
    }
  }
}
