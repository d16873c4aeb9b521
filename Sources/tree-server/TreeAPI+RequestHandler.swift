public import HTTP
public import HTTPServer
public import TreeAPI

/// The one place where the API and the server meet: neither knows the other.
extension TreeAPI: RequestHandler {
  /// Answers a request at once.
  public func respond(to request: Request) -> Reply {
    let response: Response = respond(to: request)
    return .response(response)
  }
}
