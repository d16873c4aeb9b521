/// The connections whose deferred answers were woken, in order, without duplicates.
///
/// Their number is therefore at most that of the connections. Only if a descriptor was reused may
/// it occur twice, with different generations.
struct WokenConnections {
  private var tokens: [EventToken] = []
  /// The generation of the listed token, by descriptor; 0 for none.
  private var generations: [UInt32] = []

  var isEmpty: Bool { tokens.isEmpty }

  /// Adds a connection unless it is listed; returns true if it is then the only one.
  mutating func insert(_ token: EventToken) -> Bool {
    let index = Int(token.descriptor)
    if index >= generations.count {
      generations += repeatElement(0, count: index + 1 - generations.count)
    }
    guard generations[index] != token.generation else { return false }
    generations[index] = token.generation
    tokens.append(token)
    return tokens.count == 1
  }

  /// Removes all connections and passes them to the caller.
  ///
  /// - Parameter room: An empty array, which receives the connections; its capacity is reused.
  mutating func take(for room: inout [EventToken]) {
    swap(&tokens, &room)
    for token in room { generations[Int(token.descriptor)] = 0 }
  }
}
