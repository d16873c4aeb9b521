import TreeDomain
import TreeEngine

// Places by sort order, and the sort keys that determine them.
extension TreeManager {
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
  /// - Returns: The index, which is the number of children before the place.
  /// - Throws: The errors of the meter.
  /// - Complexity: O(log *n*) comparisons if the children are known to be sorted, or if the batch
  ///   has read their keys; otherwise O(*n*).
  mutating func sortedIndex(
    of key: SortKey,
    by order: SortOrder,
    under parent: NodeID,
    without node: NodeID? = nil,
    amongFirst count: Int? = nil
  ) throws(ServiceError) -> Int {
    let position = node.flatMap { tree.parent(of: $0) == parent ? tree.position(of: $0) : nil }
    let most = count ?? tree.childCount(of: parent)
    let own = position.flatMap { $0 < most ? $0 : nil }
    let end = most - (own == nil ? 0 : 1)
    try meter.count(Self.searchSteps * (1 + key.byteCount / 64))
    if let index = sortKeys.index(of: key, by: order, under: parent, without: position) {
      return min(index, end)
    }
    if sorted.isSorted(parent, by: order) {
      return try halvingIndex(of: key, by: order, under: parent, without: own, end: end)
    }
    guard sortKeys.isKeeping else {
      return try scanningIndex(of: key, by: order, under: parent, without: node, end: end)
    }
    try readSiblings(under: parent, by: order)
    let index = sortKeys.index(of: key, by: order, under: parent, without: position)
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
    end: Int
  ) throws(ServiceError) -> Int {
    var low = 0
    var high = end
    while low < high {
      let middle = (low + high) / 2
      let place = own.map { middle >= $0 ? middle + 1 : middle } ?? middle
      if try sortKey(of: tree.child(place, of: parent), by: order) > key {
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
    end: Int
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
          let subject = self.subject(child)
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
    by order: SortOrder
  ) throws(ServiceError) {
    var keys: [SortKey] = []
    keys.reserveCapacity(tree.childCount(of: parent))
    var isSorted = true
    for child in try children(of: parent) {
      let key = try sortKey(of: child, by: order)
      if let last = keys.last, last > key { isSorted = false }
      keys.append(key)
    }
    sorted.forget(parent)
    if isSorted { sorted.know(parent, by: order) }
    sortKeys.keepSiblings(keys, under: parent, by: order)
  }

  /// Returns the sort key of a node.
  ///
  /// Reads it if the batch has not read it yet.
  ///
  /// - Throws: The errors of the meter.
  /// - Complexity: O(length of the object) if it is read.
  mutating func sortKey(of node: NodeID, by order: SortOrder) throws(ServiceError) -> SortKey {
    if let known = sortKeys.key(of: node, by: order) { return known }
    let subject = subject(node)
    try meter.count(order.steps(toRead: subject))
    let key = order.key(of: subject)
    sortKeys.keep(key, of: node, by: order)
    return key
  }

  // MARK: Keeping the keys of siblings up to date

  /// Records that a node was put under a parent.
  mutating func recordSibling(
    _ node: NodeID,
    under parent: NodeID,
    at index: Int
  )
    throws(ServiceError)
  {
    guard let order = sortKeys.order(ofSiblingsUnder: parent) else { return }
    sortKeys.insertSibling(try sortKey(of: node, by: order), under: parent, at: index)
  }

  /// Records that a node is about to leave its siblings.
  mutating func recordLeaving(_ node: NodeID) {
    let parent = tree.parent(of: node)
    guard sortKeys.order(ofSiblingsUnder: parent) != nil else { return }
    sortKeys.removeSibling(under: parent, at: tree.position(of: node))
  }

  /// Records that the object of a node has changed.
  mutating func recordChange(of node: NodeID) throws(ServiceError) {
    sortKeys.forget(node)
    let parent = tree.parent(of: node)
    guard let order = sortKeys.order(ofSiblingsUnder: parent) else { return }
    let key = try sortKey(of: node, by: order)
    sortKeys.replaceSibling(under: parent, at: tree.position(of: node), by: key)
  }

  // MARK: Keys and objects for sorting

  /// Returns the key and object of a node, for sorting.
  func subject(_ node: NodeID) -> SortOrder.Subject {
    SortOrder.Subject(key: tree.key(of: node), object: object(of: node))
  }

  /// Returns the object of a node as JSON.
  func object(of node: NodeID) -> ArraySlice<UInt8> {
    let object = tree.object(of: node)
    return object.isEmpty ? Self.null[...] : object
  }

  static let null: [UInt8] = Array("null".utf8)

  /// Returns the order that determines a place; `nil` if it is determined otherwise.
  func order(of place: Place, in batch: Batch) -> SortOrder? {
    switch place {
    case .sorted(let order): batch.orders[order]
    case .default: sort.isEmpty ? nil : sort
    case .index, .before, .after, .first: nil
    }
  }
}
