import TreeDomain
import TreeEngine

// A filter that was held against all nodes on a copy, and put on beside changes by others.
extension TreeManager {
  /// Returns the rows that a patch has made on a copy, if the tree as it is now can use them.
  ///
  /// - Parameters:
  ///   - copy: The copy, with the patch applied.
  ///   - watch: Names the moment when the copy was made.
  ///   - patch: The patch.
  ///   - id: The session.
  /// - Returns: The rows; `nil` where the patch does more than to set another filter and the order,
  ///   or the tree has changed too much.
  /// - Complexity: O(*k* log *n*) for *k* nodes moved since.
  func preparedLayer(
    of copy: borrowing TreeManager,
    since watch: ChangeWatch,
    _ patch: SessionPatch,
    of id: SessionID
  ) -> PreparedLayer<Fanout<64>>? {
    guard case .set(let filter) = patch.filter, patch.expansion == nil, patch.sort == nil,
      patch.selection == nil, sections.all.count == 1,
      let session = sessions[id], session.options.filter != filter,
      let copied = copy.sessions[id], copied.options.filter == filter,
      copied.options.order == patch.applied(to: session.options).order,
      tree.canFollow(since: watch)
    else { return nil }
    return copy.tree.preparedLayer(of: copied.view)
  }

  /// Sets the filter of a session, and perhaps the order, by rows that were made on a copy.
  ///
  /// - Throws: What the meter throws, and `content-too-large` as ``checkUndo()``.
  mutating func adopt(
    _ prepared: PreparedLayer<Fanout<64>>,
    _ patch: SessionPatch,
    in session: OpenSession
  ) throws(ServiceError) {
    session.options = patch.applied(to: session.options)
    let filter = session.options.filter ?? .all([])
    let meter = meter
    var refusal: ServiceError?
    do throws(Interruption) {
      try tree.adopt(prepared, listing: limits.maxChanges, in: session.view) {
        steps throws(Interruption) in
        do throws(ServiceError) {
          try meter.count(steps)
        } catch {
          refusal = error
          throw Interruption()
        }
      } matches: { tree, node throws(Interruption) in
        do throws(ServiceError) {
          return try Self.matches(filter, node, in: tree, meter)
        } catch {
          refusal = error
          throw Interruption()
        }
      }
    } catch {
      throw refusal ?? ServiceError(.internalError, "a step was stopped without a reason")
    }
    try checkUndo()
  }
}
