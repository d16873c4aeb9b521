import HTTP

/// Takes no content: the request is refused by its head alone.
final class Refusal: BodyReceiver {
  let bytesMax = Int.max
  private let response: Response

  init(_ response: Response) { self.response = response }

  func begin() -> Response? { response }

  func receive(_ bytes: ArraySlice<UInt8>) -> Response? { response }

  func finish() -> Reply { .response(response) }

  func cancel() {}
}
