/// A state of a ``TreeView``.
public enum ViewStatus: Sendable, Hashable {
  /// The first page is being read, or the stream is being opened.
  case loading
  /// The session is followed by a stream.
  case live
  /// The session is followed by long polls.
  case polling
  /// The view is paused, and sends no requests.
  case paused
  /// The service does not answer. The view tries again.
  case offline
  /// The session has ended, or a request was refused for good.
  case failed(TreeProblem)
}
