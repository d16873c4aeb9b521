/// The effect of one commit on the data that rows show.
struct PastData: CommitEntry {
  /// The state of a node before the commit.
  struct Reading: Sendable {
    /// The digest of the object, or nil if the commit did not change it.
    var object: ObjectDigest?
    var childState: ChildState
    var childCount: Int32?
  }

  var number: Int
  var readings = ShortList<(node: NodeID, before: Reading)>()
  /// The removed nodes.
  ///
  /// They keep id and key as long as this entry exists.
  var removed: [NodeID] = []
  /// The nodes that operations moved.
  ///
  /// See ``Transaction/moved``.
  var moved: [NodeID] = []

  var weight: Int { readings.count + moved.count }
  /// See ``CommitEntry/byteCount``.
  ///
  /// Capacities do not change while the entry is in a log.
  var byteCount: Int { readings.many.byteCount + removed.byteCount + moved.byteCount }
  var isEmpty: Bool { readings.isEmpty && removed.isEmpty && moved.isEmpty }

  /// Replaces node ids by their new ones.
  mutating func renumber(_ new: NodeRenumbering) {
    for place in readings.indices { readings[place].node = new.of(readings[place].node) }
    for place in removed.indices { removed[place] = new.of(removed[place]) }
    for place in moved.indices { moved[place] = new.of(moved[place]) }
  }
}
