extension SizedTree {
  /// The memory of the tree and its views, in bytes.
  ///
  /// Changes of views by a running transaction are counted when it ends.
  ///
  /// - Complexity: O(level indexes), of which there are few.
  public var memory: TreeMemory {
    @specialized(where Width == Fanout<64>)
    get {
      var memory = TreeMemory()
      memory.nodes = forest.structureBytes + indexes.byteCount
      memory.content = forest.keyArena.byteCount + forest.objectArena.byteCount
      memory.views = viewMemory.views + watchers.byteCount
      memory.layers = viewMemory.layers + orderings.reduce(0) { $0 + $1.byteCount }
      memory.selections = viewMemory.selections
      memory.history = history.data.byteCount + history.viewBytes
      memory.transaction = transactionWeight
      memory.snapshots = forest.copiedBytes
      return memory
    }
  }

  /// Returns the maximum memory of a new filter, a new order or both in a view, in bytes.
  ///
  /// The temporary memory to make them is included.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func layerBytes(isFiltered: Bool, order: ViewOrder, isSorted: Bool = false) -> Int {
    let count = forest.nodeCount
    let rows = RowSequence<Width>.byteCount(ofRows: count)
    // Rows before and after, listed for the difference.
    var bytes = 2 * count * MemoryLayout<RowDelta<Width>.Listed>.stride
    if isFiltered { bytes += rows + NodeTable<FilterMember>.byteCount(ofNodes: count) }
    let isReordered = order == .breadthFirst || isSorted
    if isReordered { bytes += rows }
    return isFiltered || isReordered ? bytes : 0
  }

  /// An upper bound of the memory of one more ordering and of making it, in bytes.
  ///
  /// - Complexity: O(1).
  public var orderingBytes: Int {
    @specialized(where Width == Fanout<64>)
    get { forest.nodeCount * Self.bytesPerOrderedNode }
  }

  /// The bytes of a record and an entry, and of the lists out of which they are made.
  private static var bytesPerOrderedNode: Int { 96 }

  /// Returns the memory of `count` nodes without their keys and objects, in bytes.
  ///
  /// - Complexity: O(1).
  public static func byteCount(ofNodes count: Int) -> Int { count * 64 }

  /// The memory of a toggled node in a view, in bytes.
  public static var bytesPerToggle: Int { 2 * MemoryLayout<View<Width>.Mark>.stride + 64 }

  /// The approximate memory of a selected node in a view, in bytes.
  public static var bytesPerSelectedNode: Int { 3 * MemoryLayout<NodeID>.stride }

  /// Returns the memory of a view in bytes, as it was last counted.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func viewBytes(of id: ViewID) -> Int {
    let memory = watchers[slot(of: id)].countedMemory
    return memory.views + memory.layers + memory.selections
  }

  /// Returns the maximum memory that a new rule takes, without toggles; 0 if it needs no new index.
  ///
  /// - Complexity: O(rules of levels).
  @specialized(where Width == Fanout<64>)
  public func ruleBytes(of rule: ExpansionRule) -> Int {
    // The leaves of the forest may be half full.
    let leaves = 1 + 2 * forest.nodeCount / Width.fanout
    return isIndexed(rule) ? 0 : LevelIndex<Width>.byteCount(ofLeaves: leaves)
  }

  /// Recounts the memory of a view.
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
  /// Recomputes the memory that is counted step by step, and compares it.
  ///
  /// For tests.
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

extension RowSequence {
  /// Returns the memory of a sequence of `count` rows, in bytes.
  static func byteCount(ofRows count: Int) -> Int {
    RangeMinTree<Row, Width>.byteCount(ofItems: count) + NodeTable<Int32>.byteCount(ofNodes: count)
  }
}
