/// A way in which a session is followed.
public enum FollowState: Sendable, Hashable {
  /// By a stream of events.
  case live
  /// By requests that are held until something changes.
  case polling
  /// Not at all, until the service answers again.
  case offline
}
