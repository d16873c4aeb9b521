/// A group of connections that are served together.
///
/// It is on the stack: as a property of the event loop it would be subject to exclusivity checks.
struct ConnectionGroup {
  /// The maximum number of connections in a group.
  ///
  /// It is large enough to share cache misses, and small enough not to delay the first response.
  static let capacity = 16

  private var tokens = InlineArray<16, EventToken>(repeating: EventToken(permanent: -1))
  private(set) var count = 0

  var isFull: Bool { count == Self.capacity }

  subscript(place: Int) -> EventToken { tokens[place] }

  /// Adds a connection.
  ///
  /// The group must not be full.
  mutating func append(_ connection: Connection) {
    tokens[count] = connection.token
    count += 1
  }

  mutating func removeAll() { count = 0 }
}
