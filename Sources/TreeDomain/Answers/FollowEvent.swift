/// What one who follows a session is told.
public enum FollowEvent: Equatable, Sendable {
  /// What changed since the event before.
  case changes(BatchAnswer)
  /// Too much was missed to tell what changed: everything is to be read again.
  case reset(session: SessionID, revision: Revision, rowCount: Int)
  /// The session has ended, and so has this.
  case ended
  /// The tree had to be brought in anew: whoever follows has to come again.
  case interrupted
}
