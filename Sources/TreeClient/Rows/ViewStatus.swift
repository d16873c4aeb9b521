/// A state of a ``TreeView``.
public enum ViewStatus: Sendable, Hashable {
  /// Nothing is known yet, or the stream is being opened.
  case loading
  /// The session is followed by a stream.
  case live
  /// The session is followed by long polls.
  case polling
  /// Nobody looks, and nothing is asked for.
  case paused
  /// The service does not answer; it is tried again.
  case offline
  /// The session has ended, or something was refused for good.
  case failed(TreeProblem)
}
