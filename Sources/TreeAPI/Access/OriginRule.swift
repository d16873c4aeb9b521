import HTTP

/// Keeps foreign web pages from having a browser change something in its user's name.
///
/// A page can make a browser send requests to any address that the browser reaches, a service on
/// loopback included. Browsers say where a request comes from, and no page can forge that; the rule
/// is that of CrossOriginProtection in Go 1.25 (net/http). Programs that are no browsers say
/// nothing of it and are let through, and so are methods that change nothing.
struct OriginRule: Sendable {
  /// The pages that may, wherever they are.
  let trusted: WebOrigins

  /// Why a request is refused; nil if it is not.
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
    // No browser, or an older one. The scheme is not compared: the service does not know its own.
    guard let origin else { return nil }
    return WebOrigins.host(of: origin).map(request.isForHost) ?? false ? nil : .foreignOrigin
  }

  /// What browsers say of pages of this server, and of users who act for themselves.
  private static let ownSites = [Array("same-origin".utf8)[...], Array("none".utf8)[...]]
}

extension Request {
  /// Whether the request is addressed to this host and port.
  fileprivate func isForHost(_ host: ArraySlice<UInt8>) -> Bool {
    equalIgnoringCase(host, self.host)
  }
}

extension FieldName {
  /// How the page that caused the request is related to this server (W3C Fetch Metadata, 2.3).
  static let secFetchSite = FieldName("Sec-Fetch-Site")
}
