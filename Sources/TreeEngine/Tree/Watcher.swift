/// A view, and what a running transaction has done to it.
struct Watcher<Width: NodeWidth>: Sendable {
  var view: View<Width>
  /// Rows before the transaction.
  var rowCountBefore: Int32 = 0
  /// Nil while no row came or went.
  private(set) var delta: RowDelta<Width>?
  /// The nodes the client has selected.
  var selected: Set<NodeID> = []
  /// Whether they were toggled before the transaction, of the nodes it toggled.
  var toggledBefore: [NodeID: Bool] = [:]
  /// Whether they were selected before the transaction, of the nodes it selected or deselected.
  var selectedBefore: [NodeID: Bool] = [:]
  /// The view as it was before its rule changed in this transaction.
  var viewBefore: View<Width>?
  /// Nodes that the transaction expanded although nobody supplied their children.
  var expandedUnloaded: [NodeID] = []
  /// Expansion of some node was changed, whatever it is in the end.
  var isTouched = false

  /// What is remembered of earlier commits.
  var history = ViewHistory<Width>()
  /// The expansion without the filter, while there is one.
  var aside: View<Width>?
  /// That as it was before its rule changed in this transaction.
  var asideBefore: View<Width>?
  /// What filter and order make of the rows; nil without either.
  var layering: Layering<Width>?

  init(view: View<Width>) { self.view = view }

  /// Follows the nodes to their new ids, between transactions.
  mutating func renumber(_ new: NodeRenumbering) {
    view.renumber(new)
    aside?.renumber(new)
    selected = new.of(selected)
    history.renumber(new)
    layering?.layer?.renumber(new)
  }

  /// Whether filter or order make something else of the rows.
  var isLayered: Bool { layering != nil }

  /// Starts watching a transaction.
  mutating func beginTransaction() {
    rowCountBefore = view.rowCount
    layering?.beginTransaction()
  }

  /// Forgets what a transaction did.
  mutating func endTransaction() {
    if delta != nil { delta = nil }
    if !toggledBefore.isEmpty { toggledBefore = [:] }
    if !selectedBefore.isEmpty { selectedBefore = [:] }
    if viewBefore != nil { viewBefore = nil }
    if !expandedUnloaded.isEmpty { expandedUnloaded = [] }
    isTouched = false
    if asideBefore != nil { asideBefore = nil }
    guard layering != nil else { return }
    layering?.endTransaction()
    if layering?.isPlain ?? false { layering = nil }
  }

  /// Remembers whether a node was toggled, the first time that changes.
  mutating func touchToggle(of node: NodeID) {
    guard toggledBefore[node] == nil else { return }
    toggledBefore[node] = viewBefore?.isToggled(node) ?? view.isToggled(node)
  }

  /// Whether a node that was no leaf was expanded before the transaction, given its depth then.
  func wasExpanded(_ node: NodeID, depth: Int32) -> Bool {
    guard let viewBefore else {
      let wasToggled = toggledBefore[node] ?? view.isToggled(node)
      return view.rule.expands(atDepth: depth) != wasToggled
    }
    let wasToggled = toggledBefore[node] ?? viewBefore.isToggled(node)
    return viewBefore.rule.expands(atDepth: depth) != wasToggled
  }

  /// Deletions of more rows than this are not listed, given what the transaction says.
  ///
  /// A layer needs them all.
  func listLimit(_ limit: Int) -> Int { isLayered ? .max : limit }

  /// Once all rows are replaced, what comes and goes among them is of no interest.
  private var isRecording: Bool { !isLayered || layering?.replaced == nil }

  /// Takes note that rows go; see ``RowDelta/delete(at:count:rows:isMoveHalf:)``.
  mutating func recordDeletion(
    at row: Int32,
    count: Int32,
    rows: [RowDelta<Width>.Listed]?,
    isMoveHalf: Bool = false
  ) {
    guard isRecording else { return }
    makeDelta()
    delta?.delete(at: row, count: count, rows: rows, isMoveHalf: isMoveHalf)
  }

  /// Takes note that rows come; see ``RowDelta/insert(at:count:isMoveHalf:)``.
  mutating func recordInsertion(at row: Int32, count: Int32, isMoveHalf: Bool = false) {
    guard isRecording else { return }
    makeDelta()
    delta?.insert(at: row, count: count, isMoveHalf: isMoveHalf)
  }

  private mutating func makeDelta() {
    if delta == nil { delta = RowDelta(rowCount: rowCountBefore) }
  }
}
