/// A forest and its views, which follow its changes.
///
/// It keeps what views derive from the forest consistent with it: marks of expansion, level
/// indexes, rows of filters and orders, and the count of their memory. It knows no transaction and
/// no history.
struct ViewedForest<Width: NodeWidth>: ~Copyable, Sendable {
  typealias ViewID = SizedTree<Width>.ViewID
  typealias StepCounter = SizedTree<Width>.StepCounter
  typealias PauseCounter = SizedTree<Width>.PauseCounter

  var forest = Forest<Width>()
  /// The views by the slot of their identifier; removed ones are vacant.
  var watchers = PartedArray<Watcher<Width>>()
  /// The number of views.
  private(set) var viewCount = 0
  /// The slots of removed views; a slot may have been reused or dropped since.
  private(set) var vacantSlots: [Int] = []
  /// The slots of views with a filter or an order.
  var layered: Set<Int> = []
  var indexes = LevelIndexes<Width>()
  /// The orders of siblings that views have, other than the tree's own.
  var orderings: [Ordering<Width>] = []
  /// The number of orderings that were ever added.
  private(set) var orderingCount = 0
  /// The memory of the views without their histories, in bytes.
  private(set) var memory = ViewMemory()

  init() {}

  /// Creates a forest with views that shares the memory of another; see ``SizedTree/fork()``.
  init(sharing other: borrowing ViewedForest) {
    forest = Forest(sharing: other.forest)
    watchers = other.watchers
    viewCount = other.viewCount
    vacantSlots = other.vacantSlots
    layered = other.layered
    indexes = other.indexes
    orderings = other.orderings.map { $0.fork() }
    orderingCount = other.orderingCount
    memory = other.memory
  }

  // MARK: Views

  /// Adds a view.
  ///
  /// - Parameters:
  ///   - rule: The rule that determines which nodes are expanded.
  ///   - exceptions: The nodes that differ from it.
  ///   - commit: The number of the last commit.
  /// - Returns: The slot of the view.
  mutating func addView(_ rule: ExpansionRule, toggling exceptions: [NodeID], at commit: Int) -> Int
  {
    var watcher = Watcher(view: makeView(rule, toggling: exceptions))
    watcher.history.oldest = commit
    viewCount += 1
    let slot = popVacantSlot() ?? watchers.count
    if slot < watchers.count { watchers[slot] = watcher } else { watchers.append(watcher) }
    countMemory(at: slot)
    return slot
  }

  /// Appends a view that was read from an image; nil for a gap.
  mutating func restore(_ watcher: Watcher<Width>?) {
    watchers.append(watcher ?? Watcher(view: .vacant))
    if watcher != nil { viewCount += 1 }
  }

  /// Appends the slot of a removed view that was read from an image.
  mutating func restore(vacant slot: Int) { vacantSlots.append(slot) }

  /// Removes a view.
  ///
  /// - Complexity: O(1) on average.
  mutating func removeView(at slot: Int) {
    indexes.release(for: watchers[slot].view.rule)
    if let aside = watchers[slot].aside { indexes.release(for: aside.rule) }
    memory -= watchers[slot].countedMemory
    watchers[slot] = Watcher(view: .vacant)
    layered.remove(slot)
    viewCount -= 1
    vacantSlots.append(slot)
    while watchers.last?.view.isVacant == true { watchers.removeLast() }
    if watchers.isEmpty { vacantSlots = [] }
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

  /// Returns the slots of the views that a transaction may have changed.
  ///
  /// Slots of removed views are among them.
  func slots(concernedBy reach: Transaction<Width>.Reach) -> ConcernedSlots {
    if reach.isEveryView { return ConcernedSlots(watchers.indices) }
    return ConcernedSlots(reach.hasLayered ? layered.union(reach.slots) : reach.slots)
  }

  /// Recounts the memory of a view.
  ///
  /// - Complexity: O(1).
  mutating func countMemory(at slot: Int) {
    let counted = watchers[slot].memory
    memory -= watchers[slot].countedMemory
    memory += counted
    watchers[slot].countedMemory = counted
  }

  /// Recomputes the memory that is counted step by step, and compares it.
  ///
  /// For tests.
  ///
  /// - Parameters:
  ///   - isChanging: True if a transaction is running.
  ///   - historyBytes: The memory that the tree counts for the history of views.
  func checkMemory(isChanging: Bool, historyBytes: Int) {
    var counted = ViewMemory()
    for watcher in watchers where !watcher.view.isVacant {
      counted += watcher.countedMemory
      guard !isChanging else { continue }
      let memory = watcher.memory
      precondition(memory.layers == watcher.countedMemory.layers, "layers are not counted")
      precondition(memory.selections == watcher.countedMemory.selections, "selections are not")
      // Marks that came and went may have left room.
      let isNear = memory.views / 2 <= watcher.countedMemory.views + 1_024
      precondition(isNear, "more is expanded than is counted")
    }
    precondition(counted == self.memory, "the sum over all views is another")
    let past = watchers.reduce(0) { $0 + ($1.view.isVacant ? 0 : $1.history.log.byteCount) }
    precondition(past == historyBytes, "the history of views is not counted")
    forest.keyArena.checkMemory()
    forest.objectArena.checkMemory()
    forest.keyTable.checkMemory()
  }

  /// Closes the gaps of removed views, which gives the other views new identifiers.
  mutating func packViews() -> [ViewID: ViewID] {
    var new: [ViewID: ViewID] = [:]
    var packed = PartedArray<Watcher<Width>>()
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      new[ViewID(slot: slot)] = ViewID(slot: packed.count)
      packed.append(watchers[slot])
    }
    layered = Set(layered.compactMap { new[ViewID(slot: $0)]?.slot })
    watchers = packed
    vacantSlots = []
    return new
  }

  /// Makes a view, and retains its level index.
  mutating func makeView(_ rule: ExpansionRule, toggling exceptions: [NodeID] = []) -> View<Width> {
    indexes.retain(for: rule, of: forest)
    var view = View(rule: rule, of: forest, indexes)
    for node in exceptions { view.toggle(node, in: forest, indexes) }
    return view
  }

  /// Adds an ordering.
  ///
  /// - Parameters:
  ///   - ordering: The ordering, which gets a new name.
  ///   - steps: The number of steps of the running transaction; nil without one.
  /// - Returns: Its name.
  mutating func add(_ ordering: Ordering<Width>, afterSteps steps: Int?) -> OrderingID {
    var ordering = ordering
    ordering.isNew = steps != nil
    ordering.followedSteps = steps ?? 0
    orderingCount += 1
    orderings.append(ordering)
    return ordering.id
  }
}

/// The slots of some views, or of all.
struct ConcernedSlots: Sequence, IteratorProtocol {
  private var all: Range<Int>
  private var some: Set<Int>.Iterator?

  init(_ all: Range<Int>) { self.all = all }

  init(_ some: Set<Int>) {
    all = 0..<0
    self.some = some.makeIterator()
  }

  mutating func next() -> Int? {
    if some != nil { return some?.next() }
    return all.popFirst()
  }
}
