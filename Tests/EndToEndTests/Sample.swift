import HTTP
import Testing

/// A small tree with an expanded, a collapsed and an unloaded folder.
enum Sample {
  static let options = """
    {"expansion":"none","expandedKeys":["fruit"],"nodes":[\
    {"key":"fruit","object":{"n":1},"children":[{"key":"apple"},{"key":"pear"}]},\
    {"key":"box","children":[{"key":"nut"}]},{"key":"lazy","children":"unloaded"}]}
    """

  /// Runs a body with a session of the sample.
  static func with(_ reach: Reach, _ body: (RemoteSession) throws -> Void) throws {
    try reach.withAccess { access in try body(try RemoteSession(access, options)) }
  }
}
