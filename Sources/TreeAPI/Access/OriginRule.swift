import HTTP

/// A protection against cross-site request forgery.
///
/// A web page can make a browser send requests to any address that the browser can reach, also to a
/// service on loopback. Browsers add fields about the origin that a page cannot forge. The rule is
/// that of CrossOriginProtection in Go 1.25 (net/http). Other programs do not send the fields and
/// are allowed; so are methods that change nothing.
struct OriginRule: Sendable {
  /// The origins that are allowed in any case.
  let trusted: WebOrigins

  /// Returns the reason to refuse a request, or nil if it is allowed.
  func refusal(of request: Request) -> Problem? {
    switch request.method {
    case .get, .head, .options, .trace, .query: return nil
    case .post, .put, .patch, .delete: break
    }
    let site = request.fields.value(.secFetchSite).flatMap { $0.isEmpty ? nil : $0 }
    if let site, Self.ownSites.contains(site) { return nil }
    let origin = request.fields.value(.origin)
    if let origin, trusted.contains(origin) { return nil }
    guard site == nil else { return .foreignOrigin }
    // No browser, or an old one. The scheme is not compared, because the service does not know its
    // own.
    guard let origin else { return nil }
    return WebOrigins.host(of: origin).map(request.isForHost) ?? false ? nil : .foreignOrigin
  }

  /// The values of `Sec-Fetch-Site` for pages of this server, and for a user's direct requests.
  private static let ownSites = [Array("same-origin".utf8)[...], Array("none".utf8)[...]]
}

extension Request {
  /// Returns true if the request is for this host and port.
  fileprivate func isForHost(_ host: ArraySlice<UInt8>) -> Bool {
    equalIgnoringCase(host, self.host)
  }
}

extension FieldName {
  /// The relation of the page that caused a request to the server (W3C Fetch Metadata, 2.3).
  static let secFetchSite = FieldName("Sec-Fetch-Site")
}
