public import HTTPServer
public import TreeAPI

/// The one place where the API and the server meet: neither knows the other.
extension TreeAPI: RequestHandler {}
