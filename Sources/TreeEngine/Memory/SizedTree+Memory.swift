extension SizedTree {
  /// The bytes that the tree and its views take.
  ///
  /// The changes that a running transaction makes to views are counted when it ends.
  ///
  /// - Complexity: O(level indexes), of which there are few.
  public var memory: TreeMemory {
    @specialized(where Width == Fanout<64>)
    get {
      var memory = TreeMemory()
      memory.nodes = forest.structureBytes + indexes.byteCount
      memory.content = forest.keyArena.byteCount + forest.objectArena.byteCount
      memory.views = viewMemory.views + watchers.byteCount
      memory.layers = viewMemory.layers
      memory.selections = viewMemory.selections
      memory.history = history.data.byteCount + history.viewBytes
      memory.transaction = transactionWeight
      memory.snapshots = forest.copiedBytes
      return memory
    }
  }

  /// The most bytes that a filter, an order, or both take of a view, with what making them takes
  /// for a moment.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func layerBytes(isFiltered: Bool, order: ViewOrder) -> Int {
    let count = forest.nodeCount
    let rows = RowSequence<Width>.byteCount(ofRows: count)
    // Rows before and after, listed for the difference.
    var bytes = 2 * count * MemoryLayout<RowDelta<Width>.Listed>.stride
    if isFiltered { bytes += rows + NodeTable<FilterMember>.byteCount(ofNodes: count) }
    if order == .breadthFirst { bytes += rows }
    return isFiltered || order == .breadthFirst ? bytes : 0
  }

  /// The bytes that so many nodes take beside their keys and objects.
  ///
  /// - Complexity: O(1).
  public static func byteCount(ofNodes count: Int) -> Int { count * 64 }

  /// The bytes that a view takes for each node that it has toggled, beside the rule.
  public static var bytesPerToggle: Int { 2 * MemoryLayout<View<Width>.Mark>.stride + 64 }

  /// The most bytes that a view takes for each node that is selected.
  public static var bytesPerSelectedNode: Int { 3 * MemoryLayout<NodeID>.stride }

  /// The bytes that a view takes, as they were counted last.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func viewBytes(of id: ViewID) -> Int {
    let memory = watchers[slot(of: id)].countedMemory
    return memory.views + memory.layers + memory.selections
  }

  /// The most bytes that a rule takes, beside what is toggled; 0 if another view has it.
  ///
  /// - Complexity: O(rules of levels).
  @specialized(where Width == Fanout<64>)
  public func ruleBytes(of rule: ExpansionRule) -> Int {
    // The leaves of the forest may be half full.
    let leaves = 1 + 2 * forest.nodeCount / Width.fanout
    return isIndexed(rule) ? 0 : LevelIndex<Width>.byteCount(ofLeaves: leaves)
  }

  /// Counts anew what a view takes.
  ///
  /// - Complexity: O(1).
  mutating func countMemory(at slot: Int) {
    let memory = watchers[slot].memory
    viewMemory -= watchers[slot].countedMemory
    viewMemory += memory
    watchers[slot].countedMemory = memory
  }
}

extension SizedTree {
  /// Adds up anew what is counted step by step, and compares; for tests.
  func checkMemory() {
    var counted = ViewMemory()
    for watcher in watchers where !watcher.view.isVacant {
      counted += watcher.countedMemory
      guard transaction == nil else { continue }
      let memory = watcher.memory
      precondition(memory.layers == watcher.countedMemory.layers, "layers are not counted")
      precondition(memory.selections == watcher.countedMemory.selections, "selections are not")
      // Marks that came and went may have left room.
      let isNear = memory.views / 2 <= watcher.countedMemory.views + 1_024
      precondition(isNear, "more is expanded than is counted")
    }
    precondition(counted == viewMemory, "the sum over all views is another")
    let past = watchers.reduce(0) { $0 + ($1.view.isVacant ? 0 : $1.history.log.byteCount) }
    precondition(past == history.viewBytes, "the history of views is not counted")
    forest.keyArena.checkMemory()
    forest.objectArena.checkMemory()
    forest.keyTable.checkMemory()
  }
}

extension Forest {
  /// The bytes of the sequence, of what is stored of nodes, and of the key table.
  ///
  /// - Complexity: O(1).
  var structureBytes: Int {
    sequence.byteCount + records.byteCount + freeNodes.byteCount + hints.byteCount
      + keyTable.byteCount
  }

  /// The bytes of chunks that copies of the arrays alone hold, about.
  ///
  /// - Complexity: O(1).
  var copiedBytes: Int {
    sequence.copiedBytes + records.copiedBytes + freeNodes.copiedBytes
  }
}

extension RowSequence {
  /// The bytes of a sequence of so many rows.
  static func byteCount(ofRows count: Int) -> Int {
    RangeMinTree<Row, Width>.byteCount(ofItems: count) + NodeTable<Int32>.byteCount(ofNodes: count)
  }
}
