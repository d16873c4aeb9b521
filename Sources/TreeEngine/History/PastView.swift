/// What one commit did to one view.
struct PastView<Width: NodeWidth>: CommitEntry {
  /// Consecutive rows that fared alike; of deleted ones the first among those listed, or -1.
  struct Run: Sendable {
    var kind: RowDelta<Width>.Kind
    var count: Int32
    var list: Int32
  }

  /// What a node was in the view before.
  enum Mark: Sendable {
    case toggled(Bool)
    /// The same of a node that the commit expanded.
    case expanded(Bool)
    case selected(Bool)
    case matched(Bool)
    /// Not how it was: a change of rule expanded it, and nobody had supplied its children.
    case expandedUnloaded
  }

  /// What was expanded before the commit set a rule.
  struct Expansion: Sendable {
    var rule: ExpansionRule
    var toggled: Set<NodeID>
  }

  /// What few splices of rows do not tell.
  struct Details: Sendable {
    var runs: [Run] = []
    /// See ``RowDelta/isReordering``.
    var isReordering = false
    /// The rows of deleted runs, by ``Run/list``.
    var listed: [RowDelta<Width>.Listed] = []
    var marks: [(node: NodeID, mark: Mark)] = []
    var expansion: Expansion?
    var filter: FilterBefore?
  }

  let number: Int
  let rowCountBefore: Int32
  // Thousands of sessions remember thousands of commits, and most of those did one thing or two.
  var splices = FewSplices<Width>()
  var details = Rare<Details>()

  init(number: Int, rowCountBefore: Int32) {
    self.number = number
    self.rowCountBefore = rowCountBefore
  }

  var marks: [(node: NodeID, mark: Mark)] { details.value?.marks ?? [] }

  /// What was expanded before, if the commit set a rule.
  var expansion: Expansion? { details.value?.expansion }

  /// The filter before the commit, if it set filter or order.
  var filter: FilterBefore? { details.value?.filter }

  /// Whether rows came or went.
  var hasRows: Bool { !splices.isEmpty || details.value?.runs.isEmpty == false }

  var isEmpty: Bool { splices.isEmpty && details.isEmpty }

  var weight: Int {
    let listed = (splices.first?.listed?.count ?? 0) + (splices.second?.listed?.count ?? 0)
    guard let details = details.value else { return 1 + listed }
    let rows = details.runs.count + details.listed.count
    let nodes = (details.expansion?.toggled.count ?? 0) + (details.filter?.members?.count ?? 0)
    return 1 + listed + rows + details.marks.count + nodes
  }

  /// See ``CommitEntry``; by the numbers of elements, which do not change.
  var byteCount: Int {
    let row = MemoryLayout<RowDelta<Width>.Listed>.stride
    let listed = (splices.first?.listed?.count ?? 0) + (splices.second?.listed?.count ?? 0)
    guard let details = details.value else { return listed * row }
    var bytes = (listed + details.listed.count) * row + MemoryLayout<Details>.stride
    bytes += details.runs.count * MemoryLayout<Run>.stride
    bytes += details.marks.count * MemoryLayout<(NodeID, Mark)>.stride
    bytes += details.expansion?.toggled.byteCount ?? 0
    return bytes + (details.filter?.members?.byteCount ?? 0)
  }

  /// Shows the rows that it lists.
  func forEachListed(_ body: (RowDelta<Width>.Listed) -> Void) {
    splices.first?.listed?.forEach(body)
    splices.second?.listed?.forEach(body)
    details.value?.listed.forEach(body)
  }

  /// Takes over the few things that happened to the rows.
  mutating func keep(_ given: FewSplices<Width>) {
    splices = given
    guard !given.isUnlistedMove else { return }
    splices.forgetCauses()
  }

  /// Takes over what a delta says.
  ///
  /// - Complexity: O(*k* + *d*) for *k* runs and *d* rows listed.
  mutating func keep(_ delta: RowDelta<Width>) {
    var runs: [Run] = []
    var listed: [RowDelta<Width>.Listed] = []
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

  /// Takes over what happened beside the rows.
  mutating func note(
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

  /// Follows the nodes to their new ids.
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

  /// Splices what happened to the rows onto what happened before.
  ///
  /// - Complexity: O(*k* log *k* + *d*).
  func replay(onto delta: inout RowDelta<Width>) {
    var splices = splices
    // The halves of a move that is not listed find each other within a commit only.
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
