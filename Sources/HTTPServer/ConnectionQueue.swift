/// Connections that wait for a turn, first come, first served.
struct ConnectionQueue {
  private var tokens: [EventToken] = []
  /// The first in `tokens` that was not taken.
  private var start = 0

  var count: Int { tokens.count - start }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ token: EventToken) { tokens.append(token) }

  /// Takes the first; nil if there is none.
  ///
  /// O(1) on the average.
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
