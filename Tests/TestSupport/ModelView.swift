/// The expanded nodes: a rule, and the nodes that were toggled against it.
struct ModelExpansion: Equatable, Sendable {
  var rule: ModelSessionOptions.Rule
  /// The identities of nodes whose expansion differs from the rule.
  var toggled: Set<Int> = []
  /// The identities of collapsed sections.
  var collapsedSections: Set<Int> = []
}

/// The state of a session that does not belong to the tree.
struct ModelView: Equatable, Sendable {
  /// The expansion without a filter.
  var expansion: ModelExpansion
  /// The expansion with the filter; nil without one.
  var filtered: ModelExpansion?
  var filter: ModelFilter?
  var order: ModelOrder
  var viewSort: [ModelSort]
  var selection: ModelSelectionMode
  /// The identities of selected nodes.
  var selected: Set<Int> = []
  var forgetsNestedExpansion: Bool
  var isAccordion: Bool
  var idleTimeoutSeconds: Int
  let isViewOnly: Bool

  init(_ options: ModelSessionOptions) {
    expansion = ModelExpansion(rule: options.rule)
    order = options.order
    viewSort = options.viewSort
    selection = options.selection
    forgetsNestedExpansion = options.forgetsNestedExpansion
    isAccordion = options.isAccordion
    isViewOnly = options.isViewOnly
    idleTimeoutSeconds = options.idleTimeoutSeconds ?? 604_800
    setFilter(options.filter)
  }

  /// The expansion in use.
  var current: ModelExpansion {
    get { filtered ?? expansion }
    set { if filtered == nil { expansion = newValue } else { filtered = newValue } }
  }

  /// Sets a filter. A new filter begins with everything expanded; clearing it restores the former
  /// expansion.
  mutating func setFilter(_ filter: ModelFilter?) {
    guard filter != self.filter else { return }
    self.filter = filter
    filtered = filter == nil ? nil : ModelExpansion(rule: .all)
  }

  /// Removes nodes and sections that no longer exist, and toggles of nodes that became leaves.
  mutating func prune(for tree: ModelTree) {
    let nodes = tree.allNodes
    let openable = Set(nodes.filter { $0.childState != .leaf }.map(\.identity))
    let sections = Set(tree.sections.map(\.identity))
    selected.formIntersection(nodes.map(\.identity))
    expansion.toggled.formIntersection(openable)
    expansion.collapsedSections.formIntersection(sections)
    filtered?.toggled.formIntersection(openable)
    filtered?.collapsedSections.formIntersection(sections)
  }
}
