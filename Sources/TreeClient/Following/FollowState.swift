/// The state of following a session.
public enum FollowState: Sendable, Hashable {
  /// An event stream is open.
  case live
  /// Requests are held until something changes (long polls).
  case polling
  /// The service does not answer.
  case offline
}
