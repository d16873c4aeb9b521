/// What a handler says to a request.
public enum Reply: Sendable {
  /// The answer, now.
  case response(Response)
  /// An answer that takes time; the handler does not wait for it.
  case later(any LateAnswer)
}
