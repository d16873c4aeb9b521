/// The data: an ordered forest as **one sequence** of nodes in pre-order.
///
/// Each entry carries the difference of its depth to its predecessor's, so the running sum of a
/// range-min-max tree over them is the depth, and the tree's four numbers answer every question of
/// shape without any stored position: a subtree ends before the next entry no deeper than its root;
/// the children of a node are the entries of minimal depth inside it. Entry 0 is
/// ``NodeID/forestRoot``, above all roots, at depth 0; roots stand at depth 1. Cutting a subtree
/// out and pasting it elsewhere changes differences only at the seams.
///
/// Parent and child count are stored per node as well (two numbers that a change of shape alters in
/// one or two places): walking up and showing a row then need no search.
struct Forest<Width: NodeWidth>: ~Copyable, Sendable {
  /// An entry of the sequence.
  struct Entry: RangeMinItem {
    typealias Anchor = TreeEngine.Anchor

    var owner: Int32
    /// The depth's difference to the entry before.
    var step: Int32

    var summary: Summary { Summary(count: 1, sum: step, minimum: step, minimumCount: 1) }
    static var filler: Entry { Entry(owner: -1, step: 0) }
    var node: NodeID { NodeID(owner) }
  }

  typealias Sequence = RangeMinTree<Entry, Width>

  var sequence = Sequence()
  var root: Sequence.Root

  /// By node index.
  var records = ChunkedArray<NodeRecord, Width>()
  var freeNodes = ChunkedArray<NodeID, Width>()
  /// How many children nodes are said to have whose children nobody supplied yet.
  var hints = NodeTable<Int32>()

  var keyArena = ByteArena(chunkBytes: 4 * Width.chunkBytes)
  var objectArena = ByteArena(chunkBytes: 4 * Width.chunkBytes)
  var keyTable = KeyTable(mostSlots: Width.chunkBytes / 8)

  /// Held by all that hold copies of the arrays.
  private(set) var loan = Loan()

  /// Begins or ends changes, during which nobody takes a copy of the arrays.
  ///
  /// While no copy is left from before, writes then need not look whose chunks they are.
  mutating func setChanging(_ isChanging: Bool) {
    let isSole = isChanging && isKnownUniquelyReferenced(&loan)
    sequence.setSole(isSole)
    records.isSole = isSole
    freeNodes.isSole = isSole
    if isSole { forgetCopies() }
  }

  /// Counts copied chunks anew.
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

  /// Creates a forest that shares the memory of another one, each chunk until either changes it.
  ///
  /// - Precondition: The other one is not being changed.
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
  }

  /// How many nodes the forest holds.
  var nodeCount: Int { Int(entryCount) - 1 }

  /// Entries in the sequence: the nodes linked into it, and the forest root before them.
  var entryCount: Int32 = 1

  /// What is stored of a node.
  subscript(node: NodeID) -> NodeRecord {
    get { records[node.offset] }
    _modify { yield &records[node.offset] }
  }

  func key(of node: NodeID) -> ArraySlice<UInt8> { keyArena.span(self[node].key) }

  /// The object's bytes; no bytes at all stand for `null`.
  func object(of node: NodeID) -> ArraySlice<UInt8> { objectArena.span(self[node].object) }

  /// Begins to load a node's strings, for who reads them soon, and does not wait for them.
  @inline(__always)
  func prefetchStrings(of record: NodeRecord) {
    keyArena.prefetch(record.key)
    objectArena.prefetch(record.object)
  }

  /// The node with a key.
  ///
  /// - Complexity: O(1) on average.
  func node(forKey key: Span<UInt8>) -> NodeID? { node(forKey: key, hash: KeyTable.hash(key)) }

  /// The same for a key whose hash is known.
  func node(forKey key: Span<UInt8>, hash: UInt32) -> NodeID? {
    let found = keyTable.find(hash: hash) { number in
      records.prefetch(Int(number))
      // Where it stands is mostly asked for next.
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
