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
