import TreeDomain
import TreeEngine

/// The nodes that the next operations of a batch name, looked for together before the first of them
/// is applied: one by one they would each be waited for, see ``SizedTree/nodes(forKeys:in:)``.
struct KeysAhead {
  /// How many operations are looked at together.
  fileprivate static var width: Int { 512 }
  /// With fewer it does not pay.
  static var fewest: Int { 16 }

  /// The key that each operation names, and the node that has it.
  private var keys: [ByteSlice] = []
  private var nodes: [NodeID] = []
  /// Of each operation the first key that it gives to a node, and its hash; no bytes where it gives
  /// none.
  private var given: [(key: Range<Int>, hash: UInt32)] = []
  /// How many keys had been given up by then.
  private var freedKeyCount = 0
  /// Which operation is being applied.
  private var current = 0
  /// The key of a batch with one operation.
  var only: ExpectedKey?

  /// Nothing is known.
  init() {}

  /// Looks for what some operations of a batch name.
  fileprivate init(
    _ operations: ArraySlice<Operation>,
    of batch: Batch,
    in tree: borrowing TreeManager.EngineTree
  ) {
    keys = operations.map { $0.mainKey ?? ByteSlice(offset: 0, count: 0) }
    nodes = tree.nodes(forKeys: keys.map(\.range), in: batch.bytes)
    freedKeyCount = tree.freedKeyCount
    given.reserveCapacity(operations.count)
    for operation in operations {
      // Where a new key belongs is asked for, too.
      if case .insert(let nodes, _, _, _) = operation {
        let key = batch.nodes[nodes.offset].key
        given.append((key, tree.expect(batch.bytes.span.extracting(key))))
      } else {
        given.append((0..<0, 0))
      }
    }
  }

  /// Goes on to another operation.
  fileprivate mutating func go(to operation: Int) { current = operation % Self.width }

  /// The node with a key, if it was found before, and since then no key was given up; or if it is
  /// the one that is expected.
  fileprivate func node(
    for key: ByteSlice,
    of batch: Batch,
    in tree: borrowing TreeManager.EngineTree
  ) -> NodeID? {
    if let only, only.key == key {
      return tree.node(forKey: batch.bytes.span.extracting(key.range), hash: only.hash)
    }
    guard current < keys.count, keys[current] == key, tree.freedKeyCount == freedKeyCount,
      nodes[current] != .forestRoot
    else { return nil }
    return nodes[current]
  }

  /// The hash of a key, if it is the first one that the operation being applied gives to a node.
  fileprivate func hash(of key: Range<Int>) -> UInt32? {
    guard current < given.count, given[current].key == key, !key.isEmpty else { return nil }
    return given[current].hash
  }
}

/// The key that a batch with one operation names, which is being loaded from memory that no cache
/// holds, while what comes before the operation is done.
struct ExpectedKey {
  let key: ByteSlice
  let hash: UInt32
}

extension TreeManager {
  /// Begins to load where the key belongs that a batch with one operation names.
  func expectKey(of batch: borrowing Batch) -> ExpectedKey? {
    guard batch.operations.count == 1, let key = batch.operations[0].mainKey else { return nil }
    return ExpectedKey(key: key, hash: tree.expect(batch.bytes.span.extracting(key.range)))
  }

  /// Begins to load what is known of the node that has it, and has it found by the operation.
  mutating func expectNode(of expected: ExpectedKey?) {
    ahead.only = expected
    if let expected { tree.expectNode(ofHash: expected.hash) }
  }

  /// Prepares for an operation of a batch, and now and then for those that come after it.
  mutating func lookAhead(of batch: Batch, to operation: Int) {
    let operations = batch.operations[operation...].prefix(KeysAhead.width)
    if operation % KeysAhead.width == 0 {
      let isFew = operations.count < KeysAhead.fewest
      ahead = isFew ? KeysAhead() : KeysAhead(operations, of: batch, in: tree)
    }
    ahead.go(to: operation)
  }

  /// The hash of the key that a batch gives to a node, if it is known.
  func expectedHash(of node: NewNode) -> UInt32? { ahead.hash(of: node.key) }

  /// The node that an operation names.
  ///
  /// - Throws: `node-not-found`.
  func find(_ key: ByteSlice, in batch: Batch) throws(ServiceError) -> NodeID {
    if let node = ahead.node(for: key, of: batch, in: tree) { return node }
    return try find(batch[key])
  }

  /// The parent that an operation names.
  ///
  /// - Throws: `parent-not-found`.
  func findParent(_ key: ByteSlice, in batch: Batch) throws(ServiceError) -> NodeID {
    if let node = ahead.node(for: key, of: batch, in: tree) { return node }
    return try findParent(batch[key])
  }
}

extension Operation {
  /// The key that it surely looks for: of what it changes, or of the parent of what it inserts.
  fileprivate var mainKey: ByteSlice? {
    switch self {
    case .insert(_, let parent, _, _): parent
    case .update(let key, _), .remove(let key): key
    case .move(_, let parent, _, _): parent
    case .expand(let key, _), .collapse(let key, _), .toggle(let key, _): key
    default: nil
    }
  }
}
