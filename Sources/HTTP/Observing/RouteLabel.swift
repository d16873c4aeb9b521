/// By what a request is counted: the template of the path it named, never the path itself.
///
/// There are as many as a router has templates, and two more, so that no client can make new ones.
public struct RouteLabel: Hashable, Sendable {
  /// Its place in ``Router/labels``.
  public let index: Int

  init(index: Int) { self.index = index }

  /// What was no request: the parser refused it.
  public static let malformed = RouteLabel(index: 0)
  /// No template has such a path.
  public static let none = RouteLabel(index: 1)

  /// The texts of those two.
  static let texts = ["malformed", "none"]
}
