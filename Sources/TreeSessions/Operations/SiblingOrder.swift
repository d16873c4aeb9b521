import TreeDomain
import TreeEngine

/// The order of siblings, and the places of nodes by sort order.
struct SiblingOrder {
  /// The order of the tree; empty for the order of insertion.
  private(set) var sort: SortOrder
  /// The nodes whose children are known to be sorted.
  private var sorted = SortedSiblings()
  /// The sort keys that the running batch has read.
  private var keys = SortKeyCache()
  /// The order of the tree to restore on a rollback.
  private(set) var savepoint: SortOrder

  init(_ sort: SortOrder) { (self.sort, savepoint) = (sort, sort) }

  /// Makes the order of a copy of the tree.
  init(copying other: SiblingOrder) {
    (sort, savepoint) = (other.sort, other.sort)
    sorted = other.sorted
  }

  /// The memory of the order and of the knowledge about siblings, in bytes.
  var byteCount: Int { sort.byteCount + sorted.byteCount }
  /// The memory of the sort keys of the running batch in bytes.
  var keyBytes: Int { keys.byteCount }

  // MARK: Transactions

  /// True if the running or last transaction changed the order of the tree.
  var hasNewSort: Bool { sort != savepoint }

  /// Begins a transaction.
  mutating func begin() {
    savepoint = sort
    sorted.begin()
  }

  /// Restores the state from the beginning of the transaction.
  mutating func rollBack() {
    sort = savepoint
    sorted.rollBack()
  }

  /// Replaces the order and its savepoint by those of a copy.
  mutating func install(_ copy: SiblingOrder) {
    sort = copy.sort
    sorted = copy.sorted
    savepoint = copy.savepoint
  }

  /// Takes over the savepoint of an earlier copy.
  mutating func setSavepoint(of other: SiblingOrder) { savepoint = other.savepoint }

  /// Begins to keep the sort keys that are read, if several places will be searched.
  mutating func beginKeys(isKeeping: Bool) { keys = SortKeyCache(isKeeping: isKeeping) }

  /// Forgets the sort keys that were read.
  mutating func endKeys() {
    if keys.isKeeping { keys = SortKeyCache() }
  }

  /// Replaces node ids after renumbering.
  mutating func renumber(_ new: NodeRenumbering) { sorted.renumber(new) }

  // MARK: Knowledge about siblings

  /// Sets the order of the tree.
  ///
  /// The caller sorts the nodes.
  mutating func setSort(_ order: SortOrder) { sort = order }

  func isSorted(_ parent: NodeID, by order: SortOrder) -> Bool {
    sorted.isSorted(parent, by: order)
  }

  /// Returns the order by which the children of a node are known to be sorted.
  func order(of parent: NodeID) -> SortOrder? { sorted.order(of: parent) }

  /// Records that the children of a node may no longer be sorted.
  mutating func forget(_ parent: NodeID) { sorted.forget(parent) }

  /// Forgets all knowledge about sorted siblings, because ids of removed nodes may be reused.
  mutating func forgetAll() { sorted.forgetAll() }

  /// Removes the list of the sort keys of a node's children.
  mutating func forgetKeys(under parent: NodeID) { keys.forgetSiblings(under: parent) }

  /// Removes all lists of the sort keys of siblings.
  mutating func forgetAllSiblings() { keys.forgetAllSiblings() }

  /// Removes the sort key of a node whose object changes.
  mutating func forgetKey(of node: NodeID) { keys.forget(node) }

  /// Records that the children of a node were sorted.
  mutating func recordSorted(_ parent: NodeID, by order: SortOrder) {
    keys.forgetSiblings(under: parent)
    sorted.know(parent, by: order)
  }

  /// Stores the sort key of a new node.
  mutating func keep(_ key: SortKey, of node: NodeID, by order: SortOrder) {
    keys.keep(key, of: node, by: order)
  }

  /// Returns the order that determines a place; `nil` if it is determined otherwise.
  func order(of place: Place, in batch: Batch) -> SortOrder? {
    switch place {
    case .sorted(let order): batch.orders[order]
    case .default: sort.isEmpty ? nil : sort
    case .index, .before, .after, .first: nil
    }
  }

  // MARK: Places by sort order

  /// Returns the index of a sort key among the children of a node: before the first greater one.
  ///
  /// In a batch of several operations, the key of each child is read at most once.
  ///
  /// - Parameters:
  ///   - key: The sort key.
  ///   - order: The order of the key.
  ///   - parent: The node.
  ///   - node: A child that is skipped and not counted.
  ///   - count: The number of children to consider, from the first on. The others will be placed by
  ///     the same order later.
  ///   - tree: The tree.
  ///   - meter: Counts the work.
  /// - Returns: The index, which is the number of children before the place.
  /// - Throws: The errors of the meter.
  /// - Complexity: O(log *n*) comparisons if the children are known to be sorted, or if the batch
  ///   has read their keys; otherwise O(*n*).
  mutating func index(
    of key: SortKey,
    by order: SortOrder,
    under parent: NodeID,
    without node: NodeID? = nil,
    amongFirst count: Int? = nil,
    in tree: borrowing EngineTree,
    _ meter: WorkMeter
  ) throws(ServiceError) -> Int {
    let position = node.flatMap { tree.parent(of: $0) == parent ? tree.position(of: $0) : nil }
    let most = count ?? tree.childCount(of: parent)
    let own = position.flatMap { $0 < most ? $0 : nil }
    let end = most - (own == nil ? 0 : 1)
    try meter.count(Self.searchSteps * (1 + key.byteCount / 64))
    if let index = keys.index(of: key, by: order, under: parent, without: position) {
      return min(index, end)
    }
    if sorted.isSorted(parent, by: order) {
      return try halvingIndex(of: key, by: order, under: parent, without: own, end, tree, meter)
    }
    guard keys.isKeeping else {
      return try scanningIndex(of: key, by: order, under: parent, without: node, end, tree, meter)
    }
    try readSiblings(under: parent, by: order, tree, meter)
    let index = keys.index(of: key, by: order, under: parent, without: position)
    return min(index ?? end, end)
  }

  /// The approximate cost of one search among the keys of siblings, in steps.
  private static var searchSteps: Int { 32 }

  /// Searches sorted children by bisection.
  private mutating func halvingIndex(
    of key: SortKey,
    by order: SortOrder,
    under parent: NodeID,
    without own: Int?,
    _ end: Int,
    _ tree: borrowing EngineTree,
    _ meter: WorkMeter
  ) throws(ServiceError) -> Int {
    var low = 0
    var high = end
    while low < high {
      let middle = (low + high) / 2
      let place = own.map { middle >= $0 ? middle + 1 : middle } ?? middle
      if try self.key(of: tree.child(place, of: parent), by: order, in: tree, meter) > key {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }

  /// Searches children by reading their keys one after the other, without storing them.
  private mutating func scanningIndex(
    of key: SortKey,
    by order: SortOrder,
    under parent: NodeID,
    without node: NodeID?,
    _ end: Int,
    _ tree: borrowing EngineTree,
    _ meter: WorkMeter
  ) throws(ServiceError) -> Int {
    var found: Int?
    var index = 0
    var last: SortKey?
    var isSorted = true
    try meter.relay {
      tree.forEachChild(of: parent) { child in
        guard child != node else { return true }
        guard index < end else { return false }
        return meter.proceeds { () throws(ServiceError) in
          let subject = SortOrder.Subject(of: child, in: tree)
          try meter.count(order.steps(toRead: subject))
          let value = order.key(of: subject)
          if found == nil, value > key { found = index }
          if let last, last > value { isSorted = false }
          last = value
          index += 1
          return isSorted || found == nil
        }
      }
    }
    // The new node will keep this order. Any other known order may break.
    sorted.forget(parent)
    if isSorted { sorted.know(parent, by: order) }
    return found ?? index
  }

  /// Reads the keys of all children of a node, and stores them in their order.
  private mutating func readSiblings(
    under parent: NodeID,
    by order: SortOrder,
    _ tree: borrowing EngineTree,
    _ meter: WorkMeter
  ) throws(ServiceError) {
    var keys: [SortKey] = []
    keys.reserveCapacity(tree.childCount(of: parent))
    var isSorted = true
    for child in try tree.children(of: parent, counting: meter) {
      let key = try key(of: child, by: order, in: tree, meter)
      if let last = keys.last, last > key { isSorted = false }
      keys.append(key)
    }
    sorted.forget(parent)
    if isSorted { sorted.know(parent, by: order) }
    self.keys.keepSiblings(keys, under: parent, by: order)
  }

  /// Returns the sort key of a node.
  ///
  /// Reads it if the batch has not read it yet.
  ///
  /// - Throws: The errors of the meter.
  /// - Complexity: O(length of the object) if it is read.
  mutating func key(
    of node: NodeID,
    by order: SortOrder,
    in tree: borrowing EngineTree,
    _ meter: WorkMeter
  ) throws(ServiceError) -> SortKey {
    if let known = keys.key(of: node, by: order) { return known }
    let subject = SortOrder.Subject(of: node, in: tree)
    try meter.count(order.steps(toRead: subject))
    let key = order.key(of: subject)
    keys.keep(key, of: node, by: order)
    return key
  }

  // MARK: Keeping the keys of siblings up to date

  /// Records that a node was put under a parent.
  mutating func recordSibling(
    _ node: NodeID,
    under parent: NodeID,
    at index: Int,
    in tree: borrowing EngineTree,
    _ meter: WorkMeter
  ) throws(ServiceError) {
    guard let order = keys.order(ofSiblingsUnder: parent) else { return }
    let key = try key(of: node, by: order, in: tree, meter)
    keys.insertSibling(key, under: parent, at: index)
  }

  /// Records that a node is about to leave its siblings.
  mutating func recordLeaving(_ node: NodeID, in tree: borrowing EngineTree) {
    let parent = tree.parent(of: node)
    guard keys.order(ofSiblingsUnder: parent) != nil else { return }
    keys.removeSibling(under: parent, at: tree.position(of: node))
  }

  /// Records that the object of a node has changed.
  mutating func recordChange(
    of node: NodeID,
    in tree: borrowing EngineTree,
    _ meter: WorkMeter
  ) throws(ServiceError) {
    keys.forget(node)
    let parent = tree.parent(of: node)
    guard let order = keys.order(ofSiblingsUnder: parent) else { return }
    let key = try key(of: node, by: order, in: tree, meter)
    keys.replaceSibling(under: parent, at: tree.position(of: node), by: key)
  }
}
