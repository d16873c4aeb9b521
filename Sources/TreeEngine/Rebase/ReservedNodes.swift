/// Node ids for nodes that are made beneath a running transaction.
///
/// The transaction uses other ids for its own nodes. So nodes that are made beneath it get the ids
/// that they would have without it.
struct ReservedNodes: Sendable {
  /// Unused ids, of which the last one is used first.
  var free: [NodeID]
  /// True while nodes are made beneath the transaction, false while it makes nodes itself.
  private(set) var isInUse = false

  init(free: [NodeID]) { self.free = free }

  /// Begins or ends the time in which nodes are made beneath the transaction.
  mutating func use(_ isInUse: Bool) { self.isInUse = isInUse }
}

extension Forest {
  /// Reserves the ids that the next nodes would get.
  ///
  /// - Complexity: O(ids).
  mutating func reserveNodes() {
    let count = max(Self.fewestReserved, min(Self.mostReserved, records.count / 16))
    var reserved: [NodeID] = []
    while reserved.count < count, let node = freeNodes.popLast() { reserved.append(node) }
    while reserved.count < count {
      reserved.append(NodeID(Int32(records.count)))
      records.append(NodeRecord(childState: .leaf))
    }
    reserved.reverse()
    reservedNodes = ReservedNodes(free: reserved)
  }

  /// The limits of the number of reserved ids.
  private static var fewestReserved: Int { 64 }
  private static var mostReserved: Int { 16_384 }

  /// Frees the reserved ids that were not used.
  ///
  /// - Complexity: O(ids).
  mutating func freeReservedNodes() {
    guard let reserved = reservedNodes.take() else { return }
    for node in reserved.free { freeNodes.append(node) }
  }
}
