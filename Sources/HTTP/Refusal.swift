/// Takes no content: the request is refused by its head alone.
public final class Refusal: BodyReceiver {
  /// Any number: none is taken.
  public let maxBytes = Int.max
  private let response: Response

  /// Refuses with a response, after which the connection closes.
  public init(_ response: Response) { self.response = response }

  /// Refuses.
  public func begin() -> Response? { response }

  /// Refuses.
  public func receive(_ bytes: ArraySlice<UInt8>) -> Response? { response }

  /// Replies as to everything.
  public func finish() -> Reply { .response(response) }

  /// Does nothing.
  public func cancel() {}
}
