/// The effect of one commit on one view.
struct PastView<Width: NodeWidth>: CommitEntry {
  /// Consecutive rows with the same kind of change.
  ///
  /// `list` is the index of the first row of a deleted run in `listed`, or -1.
  struct Run: Sendable {
    var kind: RowDelta<Width>.Kind
    var count: Int32
    var list: Int32
  }

  /// The state of a node in the view before the commit.
  enum Mark: Sendable {
    case toggled(Bool)
    /// The toggle state of a node that the commit expanded.
    case expanded(Bool)
    case selected(Bool)
    case matched(Bool)
    /// Not a former state: a change of rule expanded the node, and its children were not supplied
    /// yet.
    case expandedUnloaded
  }

  /// The expansion before a commit that set a rule.
  struct Expansion: Sendable {
    var rule: ExpansionRule
    var toggled: Set<NodeID>
  }

  /// The details that a few splices of rows cannot represent.
  struct Details: Sendable {
    var runs: [Run] = []
    /// See ``RowDelta/isReordering``.
    var isReordering = false
    /// The rows of deleted runs.
    ///
    /// ``Run/list`` is an index into it.
    var listed: [RowDelta<Width>.Listed] = []
    var marks: [(node: NodeID, mark: Mark)] = []
    var expansion: Expansion?
    var filter: FilterBefore?
  }

  let number: Int
  let rowCountBefore: Int32
  // Thousands of sessions remember thousands of commits, and most of these had one or two effects.
  var splices = FewSplices<Width>()
  var details = Rare<Details>()

  init(number: Int, rowCountBefore: Int32) {
    self.number = number
    self.rowCountBefore = rowCountBefore
  }

  var marks: [(node: NodeID, mark: Mark)] { details.value?.marks ?? [] }

  /// The expansion before the commit, if it set a rule.
  var expansion: Expansion? { details.value?.expansion }

  /// The filter before the commit, if the commit set a filter, or the order of a filtered view.
  var filter: FilterBefore? { details.value?.filter }

  /// True if rows were inserted or deleted.
  var hasRows: Bool { !splices.isEmpty || details.value?.runs.isEmpty == false }

  var isEmpty: Bool { splices.isEmpty && details.isEmpty }

  var weight: Int {
    let listed = (splices.first?.listed?.count ?? 0) + (splices.second?.listed?.count ?? 0)
    guard let details = details.value else { return 1 + listed }
    let rows = details.runs.count + details.listed.count
    let nodes = (details.expansion?.toggled.count ?? 0) + (details.filter?.members?.count ?? 0)
    return 1 + listed + rows + details.marks.count + nodes
  }

  /// See ``CommitEntry/byteCount``.
  ///
  /// Capacities do not change while the entry is in a log.
  var byteCount: Int {
    let row = MemoryLayout<RowDelta<Width>.Listed>.stride
    let listed = (splices.first?.listed?.count ?? 0) + (splices.second?.listed?.count ?? 0)
    guard let details = details.value else { return listed * row }
    var bytes = listed * row + MemoryLayout<Details>.stride + heapObjectBytes
    bytes += details.listed.byteCount + details.runs.byteCount + details.marks.byteCount
    bytes += details.expansion?.toggled.byteCount ?? 0
    return bytes + (details.filter?.members?.byteCount ?? 0)
  }

  /// Calls the closure for each listed row.
  func forEachListed(_ body: (RowDelta<Width>.Listed) -> Void) {
    splices.first?.listed?.forEach(body)
    splices.second?.listed?.forEach(body)
    details.value?.listed.forEach(body)
  }

  /// Stores the effect on rows if it is one or two splices.
  mutating func keep(_ given: FewSplices<Width>) {
    splices = given
    guard !given.isUnlistedMove else { return }
    splices.forgetCauses()
  }

  /// Stores the effect on rows from a delta.
  ///
  /// - Complexity: O(*k* + *d*) for *k* runs and *d* rows listed.
  mutating func keep(_ delta: RowDelta<Width>) {
    var runs: [Run] = []
    var listed: [RowDelta<Width>.Listed] = []
    // An entry may stay for long, so it takes no more than it needs.
    var runCount = 0
    delta.forEach { _, _, _ in runCount += 1 }
    runs.reserveCapacity(runCount)
    listed.reserveCapacity(delta.listed.count)
    delta.forEach { run, _, _ in
      var list: Int32 = -1
      if run.kind == .deleted, run.list >= 0 {
        list = Int32(listed.count)
        listed += delta.listed[Int(run.list)..<Int(run.list + run.count)]
      }
      runs.append(Run(kind: run.kind, count: run.count, list: list))
    }
    if runs.last?.kind == .retained { runs.removeLast() }
    guard !runs.isEmpty else { return }
    details.value = Details(runs: runs, isReordering: delta.isReordering, listed: listed)
  }

  /// Records the changes that are not about rows.
  mutating func record(
    _ marks: [(node: NodeID, mark: Mark)],
    _ expansion: Expansion?,
    _ filter: FilterBefore?
  ) {
    if marks.isEmpty, expansion == nil, filter == nil { return }
    var noted = details.value ?? Details()
    noted.marks = marks
    noted.expansion = expansion
    noted.filter = filter
    details.value = noted
  }

  /// Replaces node ids by their new ones.
  mutating func renumber(_ new: NodeRenumbering) {
    splices.renumber(new)
    guard var renumbered = details.value else { return }
    renumbered.listed = renumbered.listed.map { new.of($0) }
    renumbered.marks = renumbered.marks.map { (new.of($0.node), $0.mark) }
    if let toggled = renumbered.expansion?.toggled {
      renumbered.expansion?.toggled = new.of(toggled)
    }
    renumbered.filter = renumbered.filter.map {
      FilterBefore(members: $0.members.map { new.of($0) })
    }
    details.value = renumbered
  }

  /// Applies the effect on rows to a delta of earlier commits.
  ///
  /// - Complexity: O(*k* log *k* + *d*).
  func replay(onto delta: inout RowDelta<Width>) {
    var splices = splices
    // The halves of an unlisted move belong together within one commit only.
    splices.forgetCauses()
    delta.apply(splices)
    guard let details = details.value else { return }
    if details.isReordering { delta.isReordering = true }
    var row: Int32 = 0
    for run in details.runs {
      switch run.kind {
      case .retained: row += run.count
      case .inserted:
        delta.insert(at: row, count: run.count)
        row += run.count
      case .deleted:
        let rows =
          run.list < 0 ? nil : Array(details.listed[Int(run.list)..<Int(run.list + run.count)])
        delta.delete(at: row, count: run.count, rows: rows)
      }
    }
  }
}

extension RowDelta {
  /// Returns true if the deleted runs list more than a number of rows.
  ///
  /// - Complexity: O(runs) up to that number.
  func lists(moreThan limit: Int) -> Bool {
    guard root.node >= 0 else { return false }
    var count = 0
    var next: Runs.Cursor? = runs.first(in: root)
    while let cursor = next, count <= limit {
      let run = runs.item(cursor)
      if run.kind == .deleted, run.list >= 0 { count += Int(run.count) }
      next = runs.next(cursor)
    }
    return count > limit
  }
}
