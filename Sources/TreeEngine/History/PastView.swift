/// What one commit did to one view.
struct PastView<Width: NodeWidth>: CommitEntry {
  /// Consecutive rows that fared alike; of deleted ones the first in ``listed``, or -1.
  struct Run: Sendable {
    var kind: RowDelta<Width>.Kind
    var count: Int32
    var list: Int32
  }

  /// What a node was in the view before.
  enum Mark: Sendable {
    case toggled(Bool)
    case selected(Bool)
    case matched(Bool)
    /// Not how it was: the commit expanded it, and nobody had supplied its children.
    case expandedUnloaded
  }

  /// What was expanded before the commit set a rule.
  struct Expansion: Sendable {
    var rule: ExpansionRule
    var toggled: Set<NodeID>
  }

  let number: Int
  let rowCountBefore: Int32
  private(set) var runs: [Run] = []
  /// See ``RowDelta/isReordering``.
  private var isReordering = false
  private(set) var listed: [RowDelta<Width>.Listed] = []
  var marks: [(node: NodeID, mark: Mark)] = []
  /// At most one.
  var expansions: [Expansion] = []
  /// The filter before the commit, if it set filter or order.
  var filter: FilterBefore?

  init(number: Int, rowCountBefore: Int32) {
    self.number = number
    self.rowCountBefore = rowCountBefore
  }

  var isEmpty: Bool { runs.isEmpty && marks.isEmpty && expansions.isEmpty && filter == nil }

  var weight: Int {
    runs.count + listed.count + marks.count + expansions.reduce(0) { $0 + 1 + $1.toggled.count }
      + (filter?.members?.count ?? 0)
  }

  /// Takes over what a delta says.
  ///
  /// - Complexity: O(*k* + *d*) for *k* runs and *d* rows listed.
  mutating func keep(_ delta: RowDelta<Width>) {
    isReordering = delta.isReordering
    // As many as most have: one came or went between others.
    runs.reserveCapacity(4)
    delta.forEach { run, _, _ in
      var list: Int32 = -1
      if run.kind == .deleted, run.list >= 0 {
        list = Int32(listed.count)
        listed += delta.listed[Int(run.list)..<Int(run.list + run.count)]
      }
      runs.append(Run(kind: run.kind, count: run.count, list: list))
    }
    if runs.last?.kind == .retained { runs.removeLast() }
  }

  /// Follows the nodes to their new ids.
  mutating func renumber(_ new: NodeRenumbering) {
    for place in listed.indices {
      listed[place].node = new.of(listed[place].node)
      listed[place].parent = new.of(listed[place].parent)
    }
    for place in marks.indices { marks[place].node = new.of(marks[place].node) }
    for place in expansions.indices {
      expansions[place].toggled = new.of(expansions[place].toggled)
    }
    filter = filter.map { FilterBefore(members: $0.members.map { new.of($0) }) }
  }

  /// Splices what happened to the rows onto what happened before.
  ///
  /// - Complexity: O(*k* log *k* + *d*).
  func replay(onto delta: inout RowDelta<Width>) {
    if isReordering { delta.isReordering = true }
    var row: Int32 = 0
    for run in runs {
      switch run.kind {
      case .retained: row += run.count
      case .inserted:
        delta.insert(at: row, count: run.count)
        row += run.count
      case .deleted:
        let rows = run.list < 0 ? nil : Array(listed[Int(run.list)..<Int(run.list + run.count)])
        delta.delete(at: row, count: run.count, rows: rows)
      }
    }
  }
}
