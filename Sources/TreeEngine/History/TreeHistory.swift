/// The history of a tree's commits.
struct TreeHistory: Sendable {
  var limits: HistoryLimits
  /// The number of the last commit.
  var number = 0
  /// The oldest commit since which all changes of the data are known.
  var oldest = 0
  var data = CommitLog<PastData>()
  /// The number of removed nodes that `data` keeps.
  var removedCount = 0
  /// The total weight of all views' histories.
  private(set) var viewWeight = 0
  /// The total size of all views' histories in bytes.
  private(set) var viewBytes = 0
  /// The number of the commit at which the last sweep took place.
  var lastSweep = 0

  /// The secret points of object digests.
  var seed = ObjectDigest.Seed()

  /// True if a history is kept.
  var isKept: Bool { limits.commits > 0 }

  /// Adds a view's history to the totals.
  mutating func add<Width>(_ view: borrowing ViewHistory<Width>) {
    viewWeight += view.log.weight
    viewBytes += view.log.byteCount
  }

  /// Subtracts a view's history from the totals.
  mutating func subtract<Width>(_ view: borrowing ViewHistory<Width>) {
    viewWeight -= view.log.weight
    viewBytes -= view.log.byteCount
  }

  /// Resets the totals.
  mutating func forgetCounts() { (viewWeight, viewBytes) = (0, 0) }

  /// Frees the memory of removed nodes and replaced objects; see ``SizedTree/compact(passing:)``.
  ///
  /// - Precondition: The history of views names no node that is forgotten.
  mutating func compact<Width>(
    _ base: inout ViewedForest<Width>,
    passing pass: (Int) -> Void
  ) -> NodeRenumbering {
    var limbo: [NodeID] = []
    for past in data.entries(after: oldest) { limbo += past.removed }
    let new = base.forest.compact(keeping: limbo, passing: pass)
    base.indexes.rebuild(of: base.forest)
    for place in base.orderings.indices {
      pass(base.forest.nodeCount)
      base.orderings[place].renumber(new, of: base.forest.records.count)
    }
    data.updateEach { past in
      pass(1 + past.weight)
      past.renumber(new)
    }
    for slot in base.watchers.indices where !base.watchers[slot].view.isVacant {
      let rows = base.watchers[slot].layering?.layer?.rows.count ?? 0
      let selected = base.watchers[slot].selected.count
      pass(1 + Int(rows) + base.watchers[slot].history.log.weight + selected)
      subtract(base.watchers[slot].history)
      base.watchers[slot].renumber(new)
      add(base.watchers[slot].history)
      base.countMemory(at: slot)
    }
    return new
  }

  var isOverLimits: Bool { data.weight > limits.readings || removedCount > limits.removedNodes }
}

/// The history of the commits that affected a view.
struct ViewHistory<Width: NodeWidth>: Sendable {
  /// The oldest commit since which the view's changes are known, unless the tree's history is
  /// shorter.
  var oldest = 0
  private(set) var log = CommitLog<PastView<Width>>()

  mutating func append(_ past: consuming PastView<Width>, limits: HistoryLimits) {
    log.append(past)
    while log.count > limits.commits || log.weight > limits.rows, let number = log.firstNumber {
      oldest = number
      log.removeFirst()
    }
  }

  /// Forgets all commits; `number` is the number of the last one.
  mutating func forgetAll(through number: Int) {
    log = CommitLog()
    oldest = number
  }

  /// Appends an entry read from an image.
  mutating func restore(_ past: PastView<Width>) { log.append(past) }

  /// Replaces node ids by their new ones.
  mutating func renumber(_ new: NodeRenumbering) { log.updateEach { $0.renumber(new) } }

  /// Forgets the commits up to a number, because the tree forgot their changes of the data.
  mutating func forget(through number: Int) {
    while let first = log.firstNumber, first <= number { log.removeFirst() }
    oldest = max(oldest, number)
  }
}
