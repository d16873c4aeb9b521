/// A few connections that are served together.
///
/// It lies on the stack: a loop that kept it among its own would pay for the check that nobody else
/// changes it meanwhile.
struct ConnectionGroup {
  /// How many are served together: enough for the waiting to be shared, and so few that the first
  /// answer does not wait for long.
  static let capacity = 16

  private var tokens = InlineArray<16, EventToken>(repeating: EventToken(permanent: -1))
  private(set) var count = 0

  var isFull: Bool { count == Self.capacity }

  subscript(place: Int) -> EventToken { tokens[place] }

  /// Takes one more; there must be room.
  mutating func append(_ connection: Connection) {
    tokens[count] = connection.token
    count += 1
  }

  mutating func removeAll() { count = 0 }
}
