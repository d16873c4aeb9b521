/// A tree and the views of it: the engine's one public face.
///
/// The data is an ordered forest of nodes with keys and opaque objects; a *view* is what one client
/// has expanded of it, and so which nodes are *rows*. All mutations happen inside a transaction,
/// which keeps for each view the net difference of its rows and, for the tree, what undoes it:
///
/// ```swift
/// var tree = Tree<64>()
/// let view = tree.addView(rule: .all)
/// tree.begin()
/// try tree.insert([NewNode(key: 0..<1, object: 1..<3, depth: 0, childState: .leaf)],
///   bytes: Array("a42".utf8), under: .forestRoot, at: 0)
/// let changes = tree.changes(of: view)  // one insertion at row 0
/// tree.commit()                         // or tree.rollback()
/// ```
///
/// Every operation is O(log *n*) in the nodes plus what it names, whatever the shape of the tree.
/// The engine knows no clock, lock or file, and imports nothing but a hint to the processor.
public struct SizedTree<Width: NodeWidth>: ~Copyable, Sendable {
  /// Names a view of one tree.
  public struct ViewID: Hashable, Sendable {
    let slot: Int
  }

  /// What a node read before the transaction touched it.
  struct Reading: Equatable, Sendable {
    var object: ByteArena.Slice
    var childState: ChildState
    var childCount: Int32
    /// How many children there are said to be.
    var hint: Int32?

    /// How many children a row shows, as far as anybody knows.
    var shownChildCount: Int32? { childState.shownCount(childCount, hint: hint) }
  }

  var forest = Forest<Width>()
  /// By the slot of their ``ViewID``; removed ones are vacant.
  var watchers: [Watcher<Width>] = []
  /// How many views there are.
  var viewCount = 0
  /// Slots of removed views, and some that are not there any more or were given to others.
  var vacantSlots: [Int] = []
  /// Slots of views with a filter or an order.
  var layered: Set<Int> = []
  var indexes = LevelIndexes<Width>()
  var transaction: Transaction<Width>?
  /// At most one, which is over and emptied, so that the next finds room.
  var spareTransactions: [Transaction<Width>] = []
  var history: TreeHistory
  /// The changes since a fork was made for a filter; nil while none is.
  var changeRecord: ChangeRecord<Width>?
  /// The bytes that the views take, without their histories.
  var viewMemory = ViewMemory()
  /// Nodes that are `unloaded` or `failed`, so that nobody looks for them in vain.
  var unloadedCount = 0
  /// The deepest depth a node may have; a root's is 0.
  public var maxDepth: Int

  /// Creates an empty tree.
  ///
  /// - Parameters:
  ///   - maxDepth: the deepest depth a node may have; a root's is 0.
  ///   - history: how much is remembered of commits.
  @specialized(where Width == Fanout<64>)
  public init(maxDepth: Int = 100_000, history: HistoryLimits = .none) {
    self.maxDepth = maxDepth
    self.history = TreeHistory(limits: history)
  }

  /// How many nodes the tree holds.
  public var nodeCount: Int {
    @specialized(where Width == Fanout<64>)
    get { forest.nodeCount }
  }

  /// Bytes of keys and objects held, garbage not yet compacted included.
  public var byteCount: Int { forest.keyArena.count + forest.objectArena.count }

  /// Bytes of keys and objects that nodes have.
  public var usedByteCount: Int {
    byteCount - forest.keyArena.garbage - forest.objectArena.garbage
  }

  // MARK: Views

  /// Adds a view.
  ///
  /// - Parameters:
  ///   - rule: which nodes are expanded.
  ///   - exceptions: the nodes, none of them a leaf, that differ from that.
  /// - Returns: its name.
  /// - Precondition: no transaction is running.
  /// - Complexity: O(log *n*); for the first view with a rule of *levels* O(*n* / fan-out) and
  ///   O(*k*) for *k* nodes that it shows, a nanosecond each.
  @specialized(where Width == Fanout<64>)
  public mutating func addView(
    rule: ExpansionRule,
    toggling exceptions: [NodeID] = []
  ) -> ViewID {
    precondition(transaction == nil, "views come and go between transactions")
    var watcher = Watcher(view: makeView(rule, toggling: exceptions))
    watcher.history.oldest = history.number
    viewCount += 1
    let slot = takeVacantSlot() ?? watchers.count
    if slot < watchers.count { watchers[slot] = watcher } else { watchers.append(watcher) }
    countMemory(at: slot)
    return ViewID(slot: slot)
  }

  /// Removes a view.
  ///
  /// - Precondition: no transaction is running.
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public mutating func removeView(_ id: ViewID) {
    precondition(transaction == nil, "views come and go between transactions")
    let slot = slot(of: id)
    indexes.release(for: watchers[slot].view.rule)
    if let aside = watchers[slot].aside { indexes.release(for: aside.rule) }
    history.subtract(watchers[slot].history)
    viewMemory -= watchers[slot].countedMemory
    watchers[slot] = Watcher(view: .vacant)
    layered.remove(slot)
    viewCount -= 1
    vacantSlots.append(slot)
    while watchers.last?.view.isVacant == true { watchers.removeLast() }
    if watchers.count * 4 < watchers.capacity { watchers = watchers.map(\.self) }
    if watchers.isEmpty { vacantSlots = [] }
    forgetHistory()
  }

  /// The slot of a removed view, if there is one among the others.
  private mutating func takeVacantSlot() -> Int? {
    while let slot = vacantSlots.popLast() {
      // Behind the last view, slots are given up.
      if slot < watchers.count, watchers[slot].view.isVacant { return slot }
    }
    return nil
  }

  /// Where the view is among the watchers.
  func slot(of id: ViewID) -> Int {
    precondition(
      id.slot < watchers.count && !watchers[id.slot].view.isVacant,
      "the view was removed"
    )
    return id.slot
  }
}
