import TreeDomain
import TreeEngine

/// The nodes that the next operations of a batch name, prefetched together.
///
/// Looked up one by one, each would wait for memory; see ``SizedTree/nodes(forKeys:in:)``.
struct PrefetchedKeys {
  /// The number of operations that are prefetched together.
  static var width: Int { 512 }
  /// The minimum number of operations for which prefetching is worthwhile.
  static var fewest: Int { 16 }

  /// The key that each operation names; empty if it names none.
  private var keys: [ByteSlice] = []
  /// The node of each key; the forest root if none was found.
  private var nodes: [NodeID] = []
  /// The key of the first node that each operation inserts, with its hash; empty if there is none.
  private var given: [(key: Range<Int>, hash: UInt32)] = []
  /// The number of keys that had been removed from the tree when the nodes were looked up.
  private var freedKeyCount = 0
  /// The index of the current operation among the prefetched ones.
  private var current = 0
  /// The key of a batch with one operation.
  var only: ExpectedKey?

  /// Makes an empty list.
  init() {}

  /// Looks up the nodes that some operations of a batch name.
  init(
    _ operations: ArraySlice<Operation>,
    of batch: Batch,
    in tree: borrowing EngineTree
  ) {
    keys = operations.map { $0.mainKey ?? ByteSlice(offset: 0, count: 0) }
    nodes = tree.nodes(forKeys: keys.map(\.range), in: batch.bytes)
    freedKeyCount = tree.freedKeyCount
    given.reserveCapacity(operations.count)
    for operation in operations {
      // The place of a new key is prefetched as well.
      if case .insert(let nodes, _, _, _) = operation {
        let key = batch.nodes[nodes.offset].key
        given.append((key, tree.expect(batch.bytes.span.extracting(key))))
      } else {
        given.append((0..<0, 0))
      }
    }
  }

  /// Sets the current operation, given its index in the batch.
  mutating func go(to operation: Int) { current = operation % Self.width }

  /// Returns the node with a key, if it was prefetched and no key was removed since.
  func node(
    for key: ByteSlice,
    of batch: Batch,
    in tree: borrowing EngineTree
  ) -> NodeID? {
    if let only, only.key == key {
      return tree.node(forKey: batch.bytes.span.extracting(key.range), hash: only.hash)
    }
    guard current < keys.count, keys[current] == key, tree.freedKeyCount == freedKeyCount,
      nodes[current] != .forestRoot
    else { return nil }
    return nodes[current]
  }

  /// Returns the hash of a key, if it is the first one that the current operation inserts.
  func hash(of key: Range<Int>) -> UInt32? {
    guard current < given.count, given[current].key == key, !key.isEmpty else { return nil }
    return given[current].hash
  }
}

/// The key in a batch with one operation, with its hash.
///
/// Its entry is being loaded into the cache of the processor while the operation is prepared.
struct ExpectedKey {
  let key: ByteSlice
  let hash: UInt32
}
