/// Where a request goes to.
public struct RouteMatch: Sendable {
  /// What there is at the path.
  public enum Outcome: Sendable {
    /// A route, by its place in ``Router/routes``. HEAD finds what GET does.
    case route(Int)
    /// The path is served, but with other methods.
    case methodNotAllowed(allowed: [Method])
    /// OPTIONS for a path that is served, or for `*`: to be answered with `Allow`.
    ///
    /// With the first route of the path, none for `*`.
    case options(allowed: [Method], Int?)
    /// The path is not served.
    case notFound
  }

  /// By what the request is counted: the path's template, also where its method is refused.
  public let label: RouteLabel
  /// What was found.
  public let outcome: Outcome

  init(label: RouteLabel, _ outcome: Outcome) {
    self.label = label
    self.outcome = outcome
  }
}
