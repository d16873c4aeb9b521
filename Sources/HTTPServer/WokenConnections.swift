/// Connections whose late answers were woken, in the order in which that happened.
///
/// Each is there once, so that they are no more than there are connections, however often they are
/// woken; but one of a descriptor that has had another owner since may be there again.
struct WokenConnections {
  private var tokens: [EventToken] = []
  /// The generation of the token that is there, by descriptor; 0 where none is.
  private var generations: [UInt32] = []

  var isEmpty: Bool { tokens.isEmpty }

  /// Adds a connection, unless it is there; whether it is the only one then, and is new.
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

  /// Takes all of them, in exchange for room for others.
  ///
  /// - Parameter room: Empty before, what was there after.
  mutating func take(for room: inout [EventToken]) {
    swap(&tokens, &room)
    for token in room { generations[Int(token.descriptor)] = 0 }
  }
}
