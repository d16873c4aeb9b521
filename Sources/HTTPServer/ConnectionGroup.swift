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

/// A queue of connections that wait to be served, first in, first out.
struct ConnectionQueue {
  private var tokens: [EventToken] = []
  /// The index of the first entry that was not removed.
  private var start = 0

  var count: Int { tokens.count - start }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ token: EventToken) { tokens.append(token) }

  /// Removes and returns the first entry; nil if there is none.
  ///
  /// - Complexity: O(1) amortized.
  mutating func next() -> EventToken? {
    guard start < tokens.count else { return nil }
    defer { start += 1 }
    if start > tokens.count / 2 {
      tokens.removeFirst(start)
      start = 0
    }
    return tokens[start]
  }
}
