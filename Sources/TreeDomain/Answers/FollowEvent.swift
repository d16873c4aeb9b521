/// An event that a follower of a session gets.
public enum FollowEvent: Equatable, Sendable {
  /// The changes since the event before.
  case changes(BatchAnswer)
  /// Too much was missed to list it: everything is to be read again.
  case reset(session: SessionID, revision: Revision, rowCount: Int)
  /// The end, and its reason; to follow the session again is of no use.
  case ended(ServiceError)
  /// The end for now: the tree has to be read anew, and whoever follows has to come again.
  case interrupted
}
