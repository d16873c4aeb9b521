import TreeDomain
import TreeEngine

/// The sort keys that the running batch has read, so that it reads none twice.
///
/// Keys are kept by node and order. Of siblings among which a place was sought although nothing
/// said that they are sorted, the keys are kept in the order of the siblings, too.
struct SortKeyCache {
  /// The keys of siblings by one order.
  private struct Siblings {
    let order: SortOrder
    var keys: SiblingKeys
  }

  /// True if keys are worth keeping: the batch looks for several places.
  let isKeeping: Bool
  /// About how many bytes the cache takes.
  private(set) var byteCount = 0

  private var keys: [SortOrder: [NodeID: SortKey]] = [:]
  /// The keys of the order that was asked for last, which are taken out of `keys`.
  private var current: [NodeID: SortKey] = [:]
  private var currentOrder = SortOrder([])
  private var siblings: [NodeID: Siblings] = [:]

  init(isKeeping: Bool = false) { self.isKeeping = isKeeping }

  /// Returns the key of a node, if it was read.
  ///
  /// - Complexity: O(1) where the order is that of the call before.
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

  /// Forgets the keys of a node whose object changes.
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

  /// The bytes of a key in an array of its own, and in a table.
  private static func weight(of key: SortKey) -> Int { key.byteCount + 80 }

  // MARK: Siblings

  /// Keeps the keys of all children of a node in their order.
  mutating func keepSiblings(_ keys: [SortKey], under parent: NodeID, by order: SortOrder) {
    forgetSiblings(under: parent)
    siblings[parent] = Siblings(order: order, keys: SiblingKeys(keys))
    byteCount += Self.siblingWeight * keys.count
  }

  /// The order by which keys of a node's children are kept.
  func order(ofSiblingsUnder parent: NodeID) -> SortOrder? {
    siblings.isEmpty ? nil : siblings[parent]?.order
  }

  /// Counts the children before the first one that compares greater than a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - order: Its order.
  ///   - parent: The parent.
  ///   - own: The position of a child that is passed over, and not counted.
  /// - Returns: The number; `nil` if the children's keys by this order are not kept.
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

  /// Forgets how the children of a node stand.
  mutating func forgetSiblings(under parent: NodeID) {
    guard !siblings.isEmpty, let former = siblings.removeValue(forKey: parent) else { return }
    byteCount -= Self.siblingWeight * former.keys.count
  }

  /// Forgets how the children of all nodes stand.
  mutating func forgetAllSiblings() {
    for parent in Array(siblings.keys) { forgetSiblings(under: parent) }
  }

  /// The bytes of a key in a list of siblings, where it is shared.
  private static var siblingWeight: Int { 16 }
}
