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
  /// How many keys had been given up by then.
  private var freedKeyCount = 0
  /// Which operation is being applied.
  private var current = 0

  /// Nothing is known.
  init() {}

  /// Looks for what some operations of a batch name.
  fileprivate init(
    _ operations: ArraySlice<Operation>,
    of batch: Batch,
    in tree: borrowing TreeManager.EngineTree
  ) {
    keys = operations.map { $0.mainKey ?? ByteSlice(offset: 0, count: 0) }
    let given = operations.map { operation in
      // Where a new key belongs is asked for, too.
      if case .insert(let nodes, _, _, _) = operation {
        batch.nodes[nodes.offset].key
      } else {
        0..<0
      }
    }
    nodes = tree.nodes(forKeys: keys.map(\.range) + given, in: batch.bytes)
    freedKeyCount = tree.freedKeyCount
  }

  /// Goes on to another operation.
  fileprivate mutating func go(to operation: Int) { current = operation % Self.width }

  /// The node with a key, if it was found before, and since then no key was given up.
  fileprivate func node(
    for key: ByteSlice,
    in tree: borrowing TreeManager.EngineTree
  ) -> NodeID? {
    guard current < keys.count, keys[current] == key, tree.freedKeyCount == freedKeyCount,
      nodes[current] != .forestRoot
    else { return nil }
    return nodes[current]
  }
}

extension TreeManager {
  /// Prepares for an operation of a batch, and now and then for those that come after it.
  mutating func lookAhead(of batch: Batch, to operation: Int) {
    let operations = batch.operations[operation...].prefix(KeysAhead.width)
    if operation % KeysAhead.width == 0 {
      let isFew = operations.count < KeysAhead.fewest
      ahead = isFew ? KeysAhead() : KeysAhead(operations, of: batch, in: tree)
    }
    ahead.go(to: operation)
  }

  /// The node that an operation names.
  ///
  /// - Throws: `node-not-found`.
  func find(_ key: ByteSlice, in batch: Batch) throws(ServiceError) -> NodeID {
    if let node = ahead.node(for: key, in: tree) { return node }
    return try find(batch[key])
  }

  /// The parent that an operation names.
  ///
  /// - Throws: `parent-not-found`.
  func findParent(_ key: ByteSlice, in batch: Batch) throws(ServiceError) -> NodeID {
    if let node = ahead.node(for: key, in: tree) { return node }
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
