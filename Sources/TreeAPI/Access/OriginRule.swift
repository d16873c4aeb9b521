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
    let origin = request.fields.value(.origin)
    let isOwn: Bool
    if let site = request.fields.value(.secFetchSite), !site.isEmpty {
      isOwn = site.elementsEqual("same-origin".utf8) || site.elementsEqual("none".utf8)
    } else if let origin {
      // An older browser. The scheme is not compared: the service does not know its own.
      isOwn = WebOrigins.host(of: origin).map(request.isForHost) ?? false
    } else {
      isOwn = true
    }
    return isOwn || origin.map(trusted.contains) ?? false ? nil : .foreignOrigin
  }
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
