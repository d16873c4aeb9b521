/// The data: an ordered forest as one sequence of nodes in pre-order.
///
/// Each entry stores the difference of its depth to that of the entry before. So the depth is the
/// running sum of a range-min-max tree, and no position has to be stored. A subtree ends before the
/// next entry that is not deeper than its root. The children of a node are the entries of minimal
/// depth in its subtree. A cut or an insertion of a subtree changes differences at its borders
/// only.
///
/// Entry 0 is ``NodeID/forestRoot``, the parent of all roots, at depth 0. Roots have depth 1.
///
/// Parent and child count are stored for each node as well, so that a walk up or a row needs no
/// search.
struct Forest<Width: NodeWidth>: ~Copyable, Sendable {
  /// An entry of the sequence.
  struct Entry: RangeMinItem {
    typealias Anchor = TreeEngine.Anchor

    var owner: Int32
    /// The difference of the depth to that of the entry before.
    var step: Int32

    var summary: Summary { Summary(count: 1, sum: step, minimum: step, minimumCount: 1) }
    static var filler: Entry { Entry(owner: -1, step: 0) }
    var node: NodeID { NodeID(owner) }
  }

  typealias Sequence = RangeMinTree<Entry, Width>

  var sequence = Sequence()
  var root: Sequence.Root

  /// The record of each node, by node index.
  var records = ChunkedArray<NodeRecord, Width>()
  var freeNodes = ChunkedArray<NodeID, Width>()
  /// Node ids for nodes that are made beneath a running transaction; nil if there are none.
  var reservedNodes: ReservedNodes?
  /// The expected number of children of nodes whose children were not supplied yet.
  var hints = NodeTable<Int32>()

  var keyArena = ByteArena(chunkBytes: 4 * Width.chunkBytes)
  var objectArena = ByteArena(chunkBytes: 4 * Width.chunkBytes)
  var keyTable = KeyTable(mostSlots: Width.chunkBytes / 8)

  /// An object shared by all holders of copies of the arrays.
  private(set) var loan = Loan()

  /// Begins or ends a phase of changes, in which the arrays must not be copied.
  ///
  /// If no copy exists when it begins, the changes skip the check for shared chunks.
  mutating func setChanging(_ isChanging: Bool) {
    let isSole = isChanging && isKnownUniquelyReferenced(&loan)
    sequence.setSole(isSole)
    records.isSole = isSole
    freeNodes.isSole = isSole
    if isSole { forgetCopies() }
  }

  /// Resets the count of copied chunks.
  private mutating func forgetCopies() {
    guard copiedBytes > 0 else { return }
    sequence.forgetCopies()
    records.forgetCopies()
    freeNodes.forgetCopies()
  }

  init() {
    records.append(NodeRecord(childState: .loaded))
    root = sequence.makeEmpty()
    sequence.append(Entry(owner: 0, step: 0), to: &root)
  }

  /// Creates a forest that shares the memory of another.
  ///
  /// A chunk is copied when either changes it.
  ///
  /// - Precondition: The other forest is not being changed.
  /// - Complexity: O(1).
  init(sharing other: borrowing Forest) {
    precondition(!other.records.isSole, "a forest is not shared while it is changed")
    sequence = other.sequence
    root = other.root
    records = other.records
    freeNodes = other.freeNodes
    hints = other.hints
    keyArena = other.keyArena
    objectArena = other.objectArena
    keyTable = other.keyTable
    loan = other.loan
    entryCount = other.entryCount
    unloadedCount = other.unloadedCount
  }

  /// The number of nodes.
  var nodeCount: Int { Int(entryCount) - 1 }

  /// The number of entries in the sequence: its nodes and the forest root.
  var entryCount: Int32 = 1

  /// The number of nodes that are `unloaded` or `failed`, so that a search is skipped if it is 0.
  private var unloadedCount = 0

  /// True if the forest has a node whose children are `unloaded` or `failed`.
  var hasUnloaded: Bool { unloadedCount > 0 }

  /// Returns true if the children of a node are `unloaded` or `failed`.
  func isUnloaded(_ node: NodeID) -> Bool {
    let state = self[node].childState
    return state == .unloaded || state == .failed
  }

  /// Counts a node that comes (1) or goes (-1), if its children are `unloaded` or `failed`.
  mutating func recordUnloaded(_ node: NodeID, _ change: Int) {
    if isUnloaded(node) { unloadedCount += change }
  }

  /// Sets the state of a node's children, and the number to report until they are loaded.
  mutating func storeChildState(_ state: ChildState, hint: Int32?, of node: NodeID) {
    recordUnloaded(node, -1)
    self[node].childState = state
    if hint != nil || !hints.isEmpty { hints[node] = hint }
    recordUnloaded(node, 1)
  }

  /// The record of a node.
  subscript(node: NodeID) -> NodeRecord {
    get { records[node.offset] }
    _modify { yield &records[node.offset] }
  }

  func key(of node: NodeID) -> ArraySlice<UInt8> { keyArena.span(self[node].key) }

  /// Returns the bytes of an object.
  ///
  /// An empty slice stands for `null`.
  func object(of node: NodeID) -> ArraySlice<UInt8> { objectArena.span(self[node].object) }

  /// Prefetches the key and the object of a node into the cache.
  @inline(__always)
  func prefetchStrings(of record: NodeRecord) {
    keyArena.prefetch(record.key)
    objectArena.prefetch(record.object)
  }

  /// Returns the node with a key.
  ///
  /// - Complexity: O(1) on average.
  func node(forKey key: Span<UInt8>) -> NodeID? { node(forKey: key, hash: KeyTable.hash(key)) }

  /// Returns the node with a key whose hash is known.
  func node(forKey key: Span<UInt8>, hash: UInt32) -> NodeID? {
    let found = keyTable.find(hash: hash) { number in
      records.prefetch(Int(number))
      // Callers mostly ask for its place next.
      sequence.prefetch(ofOwner: number)
      return hasKey(key, NodeID(number))
    }
    return found.map { NodeID($0) }
  }

  func hasKey(_ key: Span<UInt8>, _ node: NodeID) -> Bool {
    let slice = self[node].key
    guard slice.count == key.count else { return false }
    let own = keyArena.span(of: slice)
    for index in key.indices where own[index] != key[index] { return false }
    return true
  }
}

extension Forest {
  /// The memory of the sequence, the node records and the key table, in bytes.
  ///
  /// - Complexity: O(1).
  var structureBytes: Int {
    sequence.byteCount + records.byteCount + freeNodes.byteCount + hints.byteCount
      + keyTable.byteCount
  }

  /// The approximate memory of chunks that only forks and snapshots hold, in bytes.
  ///
  /// - Complexity: O(1).
  var copiedBytes: Int {
    sequence.copiedBytes + records.copiedBytes + freeNodes.copiedBytes
  }

  /// Recomputes everything that the forest stores and compares it.
  ///
  /// For tests.
  ///
  /// - Complexity: O(*n* log *n*).
  func checkInvariants() {
    sequence.checkInvariants(of: root)
    precondition(sequence.summary(of: root).count == entryCount, "the entry count is wrong")
    precondition(keyTable.count == nodeCount, "entries and keys differ")
    var counts = [Int32](repeating: 0, count: records.count)
    var path: [NodeID] = []
    var next: Place? = place(at: 0)
    var position: Int32 = 0
    while let place = next {
      let node = node(at: place)
      precondition(place.position == position && place.depth <= Int32(path.count), "a gap in depth")
      path.removeLast(path.count - Int(place.depth))
      if let parent = path.last {
        precondition(self[node].parent == parent, "a parent is wrong")
        precondition(self[parent].childState != .leaf, "a leaf is a parent")
        precondition(self.node(forKey: key(of: node).span) == node, "a key is lost")
        counts[parent.offset] += 1
      }
      path.append(node)
      position += 1
      next = self.next(place)
    }
    precondition(position == entryCount, "entries are lost")
    hints.forEach { node, _ in
      let state = self[node].childState
      precondition(state != .leaf && state != .loaded, "a hint where children are known")
    }
    for node in counts.indices where isAttached(NodeID(Int32(node))) {
      precondition(counts[node] == records[node].childCount, "a child count is wrong")
    }
  }
}
