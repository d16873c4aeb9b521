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

/// The label under which requests are counted: a route's template, never the actual path.
///
/// A router has one label for each template, and the labels ``malformed`` and ``none``. So clients
/// cannot create labels.
package struct RouteLabel: Hashable, Sendable {
  /// The index in ``Router/labels``.
  package let index: Int

  init(index: Int) { self.index = index }

  /// The label of input that the parser refused.
  package static let malformed = RouteLabel(index: 0)
  /// The label of requests whose path no template matches.
  package static let none = RouteLabel(index: 1)

  /// The texts of ``malformed`` and ``none``.
  static let texts = ["malformed", "none"]
}
