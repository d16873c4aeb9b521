/// The result of routing a request.
package struct RouteMatch: Sendable {
  /// The kind of a result.
  package enum Outcome: Sendable {
    /// A route, by its index in ``Router/routes``.
    ///
    /// HEAD matches the route of GET.
    case route(Int)
    /// The path has routes, but only for other methods.
    case methodNotAllowed(allowed: [Method])
    /// OPTIONS for a path with routes or for `*`, to be answered with `Allow`.
    ///
    /// The number is the index of the path's first route; nil for `*`.
    case options(allowed: [Method], Int?)
    /// The path has no route.
    case notFound
  }

  /// The label for counting: the path's template, also if its method is refused.
  package let label: RouteLabel
  /// The kind of the result.
  package let outcome: Outcome

  init(label: RouteLabel, _ outcome: Outcome) {
    self.label = label
    self.outcome = outcome
  }
}
