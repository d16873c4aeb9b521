/// What a tree remembers of its commits.
struct TreeHistory: Sendable {
  var limits: HistoryLimits
  /// The number of the last commit.
  var number = 0
  /// The oldest commit since which what happened to the data is known.
  var oldest = 0
  var data = CommitLog<PastData>()
  /// Nodes that are kept in `data` though they are removed.
  var removedCount = 0
  /// How much all views remember together.
  private(set) var viewWeight = 0
  /// The bytes that that takes.
  private(set) var viewBytes = 0
  /// The commit at which every view was last looked at for what it still needs.
  var lastSweep = 0

  /// Tells objects apart by their digests.
  var seed = ObjectDigest.Seed()

  /// Whether anything is remembered at all.
  var isKept: Bool { limits.commits > 0 }

  /// Counts what a view remembers.
  mutating func add<Width>(_ view: borrowing ViewHistory<Width>) {
    viewWeight += view.log.weight
    viewBytes += view.log.byteCount
  }

  /// Counts what a view remembers no more.
  mutating func subtract<Width>(_ view: borrowing ViewHistory<Width>) {
    viewWeight -= view.log.weight
    viewBytes -= view.log.byteCount
  }

  /// Begins to count anew.
  mutating func forgetCounts() { (viewWeight, viewBytes) = (0, 0) }

  var isOverLimits: Bool { data.weight > limits.readings || removedCount > limits.removedNodes }
}

/// What a view remembers of the commits it has seen something of.
struct ViewHistory<Width: NodeWidth>: Sendable {
  /// The oldest commit since which what happened to the view is known, as far as the data's history
  /// goes back.
  var oldest = 0
  private(set) var log = CommitLog<PastView<Width>>()

  mutating func append(_ past: consuming PastView<Width>, limits: HistoryLimits) {
    log.append(past)
    while log.count > limits.commits || log.weight > limits.rows, let number = log.firstNumber {
      oldest = number
      log.removeFirst()
    }
  }

  /// Takes back an entry of an image, behind those it has.
  mutating func restore(_ past: PastView<Width>) { log.append(past) }

  /// Follows the nodes to their new ids.
  mutating func renumber(_ new: NodeRenumbering) { log.updateEach { $0.renumber(new) } }

  /// Forgets commits of which the tree knows no more what they did to the data.
  mutating func forget(through number: Int) {
    while let first = log.firstNumber, first <= number { log.removeFirst() }
    oldest = max(oldest, number)
  }
}
