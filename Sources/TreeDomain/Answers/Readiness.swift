/// The ability of a service to accept requests.
package enum Readiness: Equatable, Sendable {
  /// The service accepts all requests.
  case ready
  /// The service refuses changes, with the reason.
  case unready(ServiceErrorCode)
}
