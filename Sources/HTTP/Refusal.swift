/// A body receiver that refuses a request by its head alone.
public final class Refusal: BodyReceiver {
  /// No limit, because no content is accepted.
  public let maxBytes = Int.max
  private let response: Response

  /// Creates a refusal with a response, after which the connection closes.
  public init(_ response: Response) { self.response = response }

  /// Returns the response.
  public func begin() -> Response? { response }

  /// Returns the response.
  public func receive(_ bytes: ArraySlice<UInt8>) -> Response? { response }

  /// Returns the response as a reply.
  public func finish() -> Reply { .response(response) }

  /// Does nothing.
  public func cancel() {}
}
