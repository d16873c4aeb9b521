import TreeDomain
import TreeEngine

/// A cache of the sort keys that the running batch has read, so that each is read once.
///
/// Keys are stored by node and order. If a place was searched among siblings that may be unsorted,
/// their keys are stored in the order of the siblings as well.
struct SortKeyCache {
  /// The keys of siblings by one order.
  private struct Siblings {
    let order: SortOrder
    var keys: SiblingKeys
  }

  /// True if the batch searches several places, so that the cache is worthwhile.
  let isKeeping: Bool
  /// The approximate memory of the cache in bytes.
  private(set) var byteCount = 0

  private var keys: [SortOrder: [NodeID: SortKey]] = [:]
  /// The keys of the last order, which are not in `keys` meanwhile.
  private var current: [NodeID: SortKey] = [:]
  private var currentOrder = SortOrder([])
  private var siblings: [NodeID: Siblings] = [:]

  init(isKeeping: Bool = false) { self.isKeeping = isKeeping }

  /// Returns the key of a node, if it was read.
  ///
  /// - Complexity: O(1) if the order is that of the last call.
  mutating func key(of node: NodeID, by order: SortOrder) -> SortKey? {
    guard isKeeping else { return nil }
    turn(to: order)
    return current[node]
  }

  mutating func keep(_ key: SortKey, of node: NodeID, by order: SortOrder) {
    guard isKeeping else { return }
    turn(to: order)
    byteCount += Self.weight(of: key)
    if let former = current.updateValue(key, forKey: node) { byteCount -= Self.weight(of: former) }
  }

  /// Removes the keys of a node whose object changes.
  ///
  /// - Complexity: O(orders).
  mutating func forget(_ node: NodeID) {
    guard isKeeping else { return }
    if let former = current.removeValue(forKey: node) { byteCount -= Self.weight(of: former) }
    for order in keys.keys {
      if let former = keys[order]?.removeValue(forKey: node) {
        byteCount -= Self.weight(of: former)
      }
    }
  }

  private mutating func turn(to order: SortOrder) {
    guard order != currentOrder else { return }
    keys[currentOrder] = current
    current = keys.removeValue(forKey: order) ?? [:]
    currentOrder = order
  }

  /// Returns the memory of a key in an array of its own and in a table, in bytes.
  private static func weight(of key: SortKey) -> Int { key.byteCount + 80 }

  // MARK: Siblings

  /// Stores the keys of all children of a node, in their order.
  mutating func keepSiblings(_ keys: [SortKey], under parent: NodeID, by order: SortOrder) {
    forgetSiblings(under: parent)
    siblings[parent] = Siblings(order: order, keys: SiblingKeys(keys))
    byteCount += Self.siblingWeight * keys.count
  }

  /// Returns the order by which the keys of a node's children are stored; nil if there are none.
  func order(ofSiblingsUnder parent: NodeID) -> SortOrder? {
    siblings.isEmpty ? nil : siblings[parent]?.order
  }

  /// Returns the number of children before the first one that is greater than a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - order: The order of the key.
  ///   - parent: The parent.
  ///   - own: The position of a child that is skipped and not counted.
  /// - Returns: The number; `nil` if the keys of the children by this order are not stored.
  /// - Complexity: O(log *n*).
  func index(of key: SortKey, by order: SortOrder, under parent: NodeID, without own: Int?) -> Int?
  {
    guard !siblings.isEmpty, let siblings = siblings[parent], siblings.order == order else {
      return nil
    }
    var index = siblings.keys.firstIndex(greaterThan: key)
    if let own, index == own {
      index = siblings.keys.firstIndex(greaterThan: key, from: own + 1)
    }
    let place = index ?? siblings.keys.count
    return place - (own.map { $0 < place ? 1 : 0 } ?? 0)
  }

  mutating func insertSibling(_ key: SortKey, under parent: NodeID, at index: Int) {
    siblings[parent]?.keys.insert(key, at: index)
    byteCount += Self.siblingWeight
  }

  mutating func removeSibling(under parent: NodeID, at index: Int) {
    siblings[parent]?.keys.remove(at: index)
    byteCount -= Self.siblingWeight
  }

  mutating func replaceSibling(under parent: NodeID, at index: Int, by key: SortKey) {
    siblings[parent]?.keys.replace(at: index, by: key)
  }

  /// Removes the keys of a node's children.
  mutating func forgetSiblings(under parent: NodeID) {
    guard !siblings.isEmpty, let former = siblings.removeValue(forKey: parent) else { return }
    byteCount -= Self.siblingWeight * former.keys.count
  }

  /// Removes the keys of all children.
  mutating func forgetAllSiblings() {
    for parent in Array(siblings.keys) { forgetSiblings(under: parent) }
  }

  /// The memory of a key in a list of siblings in bytes.
  ///
  /// The key itself is counted elsewhere.
  private static var siblingWeight: Int { 16 }
}
