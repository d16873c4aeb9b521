/// A tree and its views: the public interface of the engine.
///
/// The data is an ordered forest of nodes with keys and opaque objects. A *view* stores which nodes
/// one client has expanded, and thereby determines which nodes are *rows*. All mutations happen in
/// a transaction. It collects the net difference of the rows of each view, and the steps to undo:
///
/// ```swift
/// var tree = Tree<64>()
/// let view = tree.addView(rule: .all)
/// tree.begin()
/// try tree.insert([NewNode(key: 0..<1, object: 1..<3, depth: 0, childState: .leaf)],
///   bytes: Array("a42".utf8), under: .forestRoot, at: 0) { _ in }
/// let changes = try tree.changes(of: view) { _ in }  // one insertion at row 0
/// tree.commit()                                      // or tree.rollback()
/// ```
///
/// Each operation takes O(log *n*) steps, and more only for the nodes that it names. This holds for
/// trees of any shape. The engine uses no clock and no file. It imports only a prefetch hint, and a
/// lock for which no thread waits.
public struct SizedTree<Width: NodeWidth>: ~Copyable, Sendable {
  /// The identifier of a view of one tree.
  public struct ViewID: Hashable, Sendable {
    let slot: Int
  }

  /// The data of a node before the transaction touched it.
  struct Reading: Equatable, Sendable {
    var object: ByteArena.Slice
    var childState: ChildState
    var childCount: Int32
    /// The number of children to report while they are not loaded; nil if unknown.
    var hint: Int32?

    /// The number of children that a row shows; nil if unknown.
    var shownChildCount: Int32? { childState.shownCount(childCount, hint: hint) }
  }

  var forest = Forest<Width>()
  /// The views by the slot of their ``ViewID``; removed ones are vacant.
  var watchers: [Watcher<Width>] = []
  /// The number of views.
  var viewCount = 0
  /// The slots of removed views; a slot may have been reused or dropped since.
  var vacantSlots: [Int] = []
  /// The slots of views with a filter or an order.
  var layered: Set<Int> = []
  var indexes = LevelIndexes<Width>()
  /// The orders of siblings that views have, other than the tree's own.
  var orderings: [Ordering<Width>] = []
  /// The number of orderings that were ever added.
  var orderingCount = 0
  var transaction: Transaction<Width>?
  /// At most one finished and emptied transaction, whose capacity the next one reuses.
  var spareTransactions: [Transaction<Width>] = []
  var history: TreeHistory
  /// The changes since a fork was made for a filter or an order; nil without such a fork.
  var changeRecord: ChangeRecord<Width>?
  /// True if the next commits are recorded, so that they can be replayed on a fork.
  public var isRecording = false {
    didSet { if !isRecording { record = nil } }
  }
  /// The record of the last commit; nil if it was not recorded, or was popped.
  var record: CommitRecord<Width>?
  /// The transaction that is set aside while others are committed beneath it.
  var aside = Rare<TransactionAside<Width>>()
  /// The memory of the views without their histories, in bytes.
  var viewMemory = ViewMemory()
  /// The number of nodes that are `unloaded` or `failed`, so that a search is skipped if it is 0.
  var unloadedCount = 0
  /// The maximum depth of a node; a root has depth 0.
  public var maxDepth: Int

  /// Creates an empty tree.
  ///
  /// - Parameters:
  ///   - maxDepth: The maximum depth of a node; a root has depth 0.
  ///   - history: The limits of the history.
  @specialized(where Width == Fanout<64>)
  public init(maxDepth: Int = 100_000, history: HistoryLimits = .none) {
    self.maxDepth = maxDepth
    self.history = TreeHistory(limits: history)
  }

  /// The number of nodes.
  public var nodeCount: Int {
    @specialized(where Width == Fanout<64>)
    get { forest.nodeCount }
  }

  /// The number of bytes of keys and objects, including the unused ones that a compaction releases.
  public var byteCount: Int { forest.keyArena.count + forest.objectArena.count }

  /// The number of bytes of the keys and objects of nodes.
  public var usedByteCount: Int {
    byteCount - forest.keyArena.garbage - forest.objectArena.garbage
  }

  // MARK: Views

  /// Adds a view.
  ///
  /// - Parameters:
  ///   - rule: The rule that determines which nodes are expanded.
  ///   - exceptions: The nodes that differ from it. None may be a leaf.
  /// - Returns: The identifier of the view.
  /// - Precondition: No transaction is running.
  /// - Complexity: O(log *n*). The first view with a rule of *levels* takes O(*n* / fan-out), and
  ///   O(*k*) for *k* nodes that it shows, at about a nanosecond each.
  @specialized(where Width == Fanout<64>)
  public mutating func addView(
    rule: ExpansionRule,
    toggling exceptions: [NodeID] = []
  ) -> ViewID {
    precondition(transaction == nil, "views come and go between transactions")
    var watcher = Watcher(view: makeView(rule, toggling: exceptions))
    watcher.history.oldest = history.number
    viewCount += 1
    let slot = popVacantSlot() ?? watchers.count
    if slot < watchers.count { watchers[slot] = watcher } else { watchers.append(watcher) }
    countMemory(at: slot)
    return ViewID(slot: slot)
  }

  /// Removes a view.
  ///
  /// - Precondition: No transaction is running.
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

  /// Removes and returns a slot of a removed view; nil if there is none.
  private mutating func popVacantSlot() -> Int? {
    while let slot = vacantSlots.popLast() {
      // Slots behind the last view no longer exist.
      if slot < watchers.count, watchers[slot].view.isVacant { return slot }
    }
    return nil
  }

  /// Returns the index of a view in ``watchers``.
  func slot(of id: ViewID) -> Int {
    precondition(
      id.slot < watchers.count && !watchers[id.slot].view.isVacant,
      "the view was removed"
    )
    return id.slot
  }
}
