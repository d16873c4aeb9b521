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

    /// The number of the view in its tree.
    ///
    /// It is the same in a tree that is read from an image.
    ///
    /// - Complexity: O(1).
    public var number: Int { slot }
  }

  /// A function that counts steps of long work, and throws to stop it.
  public typealias StepCounter = (Int) throws(Interruption) -> Void

  /// A function that counts steps of long work that cannot be stopped, and may pause for others.
  public typealias PauseCounter = (Int) -> Void

  /// The nodes, the views and the running transaction.
  var editor: TreeEditor<Width>
  var history: TreeHistory
  /// The changes since a fork was made for a filter or an order; nil without such a fork.
  var changeRecord: ChangeRecord<Width>?
  var recorder = CommitRecorder<Width>()
  /// The transaction that is set aside while others are committed beneath it.
  var aside = Rare<TransactionAside<Width>>()

  /// Creates an empty tree.
  ///
  /// - Parameters:
  ///   - maxDepth: The maximum depth of a node; a root has depth 0.
  ///   - history: The limits of the history.
  @specialized(where Width == Fanout<64>)
  public init(maxDepth: Int = 100_000, history: HistoryLimits = .none) {
    editor = TreeEditor(ViewedForest(), maxDepth: maxDepth)
    self.history = TreeHistory(limits: history)
  }

  private init(sharing other: borrowing SizedTree) {
    editor = TreeEditor(ViewedForest(sharing: other.editor.base), maxDepth: other.maxDepth)
    history = other.history
  }

  /// Returns an independent tree with the same nodes, views and history.
  ///
  /// Both share each chunk of memory until one of them changes it. Nodes and views have the same
  /// identifiers in both. Different threads may use them.
  ///
  /// - Precondition: No transaction is running.
  /// - Complexity: O(1). The first change of either tree afterwards takes O(views), and the first
  ///   change of each chunk copies it.
  @specialized(where Width == Fanout<64>)
  public func fork() -> SizedTree {
    precondition(editor.transaction == nil, "a transaction is running")
    return SizedTree(sharing: self)
  }

  /// The maximum depth of a node; a root has depth 0.
  public var maxDepth: Int {
    get { editor.maxDepth }
    set { editor.maxDepth = newValue }
  }

  /// The number of nodes.
  public var nodeCount: Int {
    @specialized(where Width == Fanout<64>)
    get { editor.base.forest.nodeCount }
  }

  /// The number of bytes of keys and objects, including the unused ones that a compaction releases.
  public var byteCount: Int {
    editor.base.forest.keyArena.count + editor.base.forest.objectArena.count
  }

  /// The number of bytes of the keys and objects of nodes.
  public var usedByteCount: Int {
    byteCount - editor.base.forest.keyArena.garbage - editor.base.forest.objectArena.garbage
  }

  /// The memory of the tree and its views, in bytes.
  ///
  /// Changes of views by a running transaction are counted when it ends.
  ///
  /// - Complexity: O(level indexes), of which there are few.
  public var memory: TreeMemory {
    @specialized(where Width == Fanout<64>)
    get { TreeMemory(of: editor, history) }
  }

  /// Returns the memory of a view in bytes, as it was last counted.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func viewBytes(of id: ViewID) -> Int {
    let memory = editor.base.watchers[editor.base.slot(of: id)].countedMemory
    return memory.views + memory.layers + memory.selections
  }

  /// Returns the memory of `count` nodes without their keys and objects, in bytes.
  ///
  /// - Complexity: O(1).
  public static func byteCount(ofNodes count: Int) -> Int { count * 64 }

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
    precondition(editor.transaction == nil, "views come and go between transactions")
    return ViewID(slot: editor.base.addView(rule, toggling: exceptions, at: history.number))
  }

  /// Removes a view.
  ///
  /// - Precondition: No transaction is running.
  /// - Complexity: O(1) on average.
  @specialized(where Width == Fanout<64>)
  public mutating func removeView(_ id: ViewID) {
    precondition(editor.transaction == nil, "views come and go between transactions")
    let slot = editor.base.slot(of: id)
    history.subtract(editor.base.watchers[slot].history)
    editor.base.removeView(at: slot)
    history.forgetExcess(in: &editor.base)
  }

  /// Returns the view with a ``ViewID/number``, or nil.
  ///
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public func view(numbered number: Int) -> ViewID? {
    guard editor.base.watchers.indices.contains(number), !editor.base.watchers[number].view.isVacant
    else { return nil }
    return ViewID(slot: number)
  }

  /// True if removed views leave so many gaps that packing is worthwhile.
  ///
  /// - Complexity: O(1).
  public var wantsPacking: Bool { editor.base.watchers.count > 2 * editor.base.viewCount + 64 }

  /// Closes the gaps of removed views, which gives the other views new identifiers.
  ///
  /// - Returns: The new identifier for each former one.
  /// - Precondition: No transaction is running.
  /// - Complexity: O(views and gaps).
  @specialized(where Width == Fanout<64>)
  public mutating func packViews() -> [ViewID: ViewID] {
    precondition(editor.transaction == nil, "views move between transactions")
    return editor.base.packViews()
  }

  // MARK: Copies

  /// Returns a snapshot of all nodes, which can be read while the tree changes.
  ///
  /// - Precondition: No transaction is running.
  /// - Complexity: O(1); the first change of a chunk after it copies that chunk.
  @specialized(where Width == Fanout<64>)
  public func snapshot() -> ForestSnapshot<Width> {
    precondition(editor.transaction == nil, "a transaction is running")
    return ForestSnapshot(of: editor.base.forest)
  }

  /// Returns an image of all that must outlive the process: nodes with their ids, views, history.
  ///
  /// The image shares the tree's arrays. A chunk is copied when the tree changes it.
  ///
  /// - Precondition: No transaction is running.
  /// - Complexity: O(1), and O(views) at the first change after it.
  @specialized(where Width == Fanout<64>)
  public func image() -> TreeImage<Width> {
    precondition(editor.transaction == nil, "a transaction is running")
    return TreeImage(of: self)
  }

  // MARK: Compaction

  /// True if enough memory is unused to justify a ``compact()``.
  ///
  /// Its cost is amortised over the removals and replacements since the last compaction.
  ///
  /// - Complexity: O(1).
  public var wantsCompaction: Bool {
    @specialized(where Width == Fanout<64>)
    get { editor.base.forest.wantsCompaction }
  }

  /// Frees the memory of removed nodes and replaced objects, and stores the nodes in pre-order.
  ///
  /// So neighbours in the tree are close in memory. All nodes get new ids. Views, their history and
  /// their ids stay.
  ///
  /// - Parameter pass: Counts the steps.
  /// - Returns: The new ids, for callers that store ids between transactions.
  /// - Precondition: No transaction is running.
  /// - Complexity: O(*n* + bytes), and O(size of views and history). Each part is rebuilt on its
  ///   own, so only the largest part is in memory twice.
  @specialized(where Width == Fanout<64>)
  @discardableResult
  public mutating func compact(passing pass: PauseCounter = { _ in }) -> NodeRenumbering {
    precondition(editor.transaction == nil, "a transaction is running")
    // Old history of views may name removed nodes.
    history.sweep(&editor.base)
    changeRecord = nil
    return history.compact(&editor.base, passing: pass)
  }

  /// Recomputes what is stored and compares it.
  ///
  /// For tests.
  ///
  /// - Complexity: O(*n* log *n*).
  @specialized(where Width == Fanout<64>)
  public func checkInvariants() {
    editor.base.checkInvariants()
    editor.base.checkMemory(
      isChanging: editor.transaction != nil,
      historyBytes: history.viewBytes
    )
  }
}

/// A tree whose sequences have nodes of `fanout` entries; see ``SizedTree``.
///
/// Tests use 4, so that twenty nodes make three levels. The product uses 64, for which all public
/// functions are specialised.
public typealias Tree<let fanout: Int> = SizedTree<Fanout<fanout>>
