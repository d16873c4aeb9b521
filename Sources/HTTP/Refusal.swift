/// A body receiver that refuses a request by its head alone.
package final class Refusal: BodyReceiver {
  /// No limit, because no content is accepted.
  package let maxBytes = Int.max
  private let response: Response

  /// Creates a refusal with a response, after which the connection closes.
  package init(_ response: Response) { self.response = response }

  /// Returns the response.
  package func begin() -> Response? { response }

  /// Returns the response.
  package func receive(_ bytes: ArraySlice<UInt8>) -> Response? { response }

  /// Returns the response as a reply.
  package func finish() -> Reply { .response(response) }

  /// Does nothing.
  package func cancel() {}
}
