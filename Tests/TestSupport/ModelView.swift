/// Which nodes are expanded: a rule, and what was toggled against it.
struct ModelExpansion: Equatable, Sendable {
  var rule: ModelSessionOptions.Rule
  /// The identities of nodes whose expansion differs from the rule.
  var toggled: Set<Int> = []
  /// The identities of sections that hide their roots.
  var collapsedSections: Set<Int> = []
}

/// Everything of a session that is not the tree's.
struct ModelView: Equatable, Sendable {
  /// What is expanded without a filter.
  var expansion: ModelExpansion
  /// What is expanded while there is a filter.
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

  /// The expansion that is looked at and worked on.
  var current: ModelExpansion {
    get { filtered ?? expansion }
    set { if filtered == nil { expansion = newValue } else { filtered = newValue } }
  }

  /// Another filter begins with everything expanded; without one the former expansion is back.
  mutating func setFilter(_ filter: ModelFilter?) {
    guard filter != self.filter else { return }
    self.filter = filter
    filtered = filter == nil ? nil : ModelExpansion(rule: .all)
  }

  /// Forgets nodes and sections that are gone, and what was toggled of nodes that are leaves now.
  mutating func settle(_ tree: ModelTree) {
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
