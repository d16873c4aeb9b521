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
