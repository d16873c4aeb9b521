/// A follower of a session, from the reader's side.
///
/// Events are stored until they are read, within a limit. A slow reader gets the missed changes as
/// one net list, or a reset. The memory of an event is released when the next one is read.
package protocol Following: Sendable {
  /// Consumes the next event.
  ///
  /// - Parameter holdingChanges: True to leave changes in place. Then only an end is returned.
  /// - Returns: The event; `nil` if there is none. `notify` is called when there is one.
  func next(holdingChanges: Bool) -> FollowEvent?

  /// Stops following. `notify` is not called any more.
  func cancel()
}

extension Following {
  /// Consumes the next event, or returns `nil` if there is none.
  package func next() -> FollowEvent? { next(holdingChanges: false) }
}

/// An event that a follower of a session gets.
package enum FollowEvent: Equatable, Sendable {
  /// The changes since the last event.
  case changes(BatchAnswer)
  /// Too many changes to list were missed. The client must read everything again.
  case reset(session: SessionID, revision: Revision, rowCount: Int)
  /// The session ended, with the reason. It cannot be followed again.
  case ended(ServiceError)
  /// The stream ended because the tree is loaded again. The follower must reconnect.
  case interrupted
}
