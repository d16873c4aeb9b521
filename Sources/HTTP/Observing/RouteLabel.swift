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
