/// The effect of one commit on the data, as far as rows show it.
struct PastData: CommitEntry {
  /// What a node read before.
  struct Reading: Sendable {
    /// Nil where the commit did not change the object.
    var object: ObjectDigest?
    var childState: ChildState
    var childCount: Int32?
  }

  let number: Int
  var readings = ShortList<(node: NodeID, before: Reading)>()
  /// Nodes it removed: they keep their ids and keys for as long as this is kept.
  var removed: [NodeID] = []
  /// Nodes that its operations moved; see ``Transaction/moved``.
  var moved: [NodeID] = []

  var weight: Int { readings.count + moved.count }
  /// See ``CommitEntry``; by the numbers of elements, which do not change.
  var byteCount: Int {
    let nodes = removed.count + moved.count
    let readings = readings.count > 1 ? readings.count * MemoryLayout<Reading>.stride + 96 : 0
    return readings + nodes * MemoryLayout<NodeID>.stride
  }
  var isEmpty: Bool { readings.isEmpty && removed.isEmpty && moved.isEmpty }

  /// Follows the nodes to their new ids.
  mutating func renumber(_ new: NodeRenumbering) {
    for place in readings.indices { readings[place].node = new.of(readings[place].node) }
    for place in removed.indices { removed[place] = new.of(removed[place]) }
    for place in moved.indices { moved[place] = new.of(moved[place]) }
  }
}
