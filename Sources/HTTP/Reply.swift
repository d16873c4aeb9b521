/// The reply of a handler to a request.
package enum Reply: Sendable {
  /// An immediate response.
  case response(Response)
  /// A deferred answer, for which the handler does not wait.
  case later(any LateAnswer)
}
