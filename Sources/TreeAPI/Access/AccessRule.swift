import HTTP

/// Who may ask for what.
///
/// Without keys anybody may ask for everything. With keys a request has to show one, unless its
/// route is open to all; whether what it names exists is not looked at before that.
struct AccessRule: Sendable {
  private let keys: AccessKeys

  /// The rule that these keys make.
  init(keys: AccessKeys) { self.keys = keys }

  /// Why a request is refused; nil if it is not.
  func refusal(of request: Request, to endpoint: Endpoint) -> Problem? {
    guard !keys.isEmpty, !endpoint.isOpen else { return nil }
    guard let token = request.fields.bearerToken else { return .unauthenticated }
    return keys.id(of: token) == nil ? .unknownToken : nil
  }
}
