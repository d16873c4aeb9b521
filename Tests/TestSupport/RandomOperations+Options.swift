extension RandomOperations {
  /// Returns options for a new session and its tree, with up to ten nodes.
  package mutating func options() -> ModelSessionOptions {
    var options = treeOptions()
    addView(to: &options)
    let all = options.nodes.flatMap(\.keys)
    if random.oneIn(3) { options.expandedKeys = all.filter { _ in random.oneIn(4) } }
    return options
  }

  /// Returns options for a session on an existing tree.
  package mutating func options(over tree: ModelSharedTree) -> ModelSessionOptions {
    var options = ModelSessionOptions()
    addView(to: &options)
    options.isViewOnly = profile.has(.access) && random.oneIn(4)
    if random.oneIn(3) {
      options.expandedKeys = tree.tree.allNodes.map(\.key).filter { _ in random.oneIn(4) }
    }
    return options
  }

  /// Returns the sort, sections and nodes of a new tree.
  package mutating func treeOptions() -> ModelSessionOptions {
    var options = ModelSessionOptions()
    let isSorted = profile.has(.sort) ? !random.oneIn(4) : random.oneIn(2)
    if isSorted { options.sort = RandomObjects.sort(&random) }
    if profile.has(.sections), !random.oneIn(4) {
      let names = RandomOperations.sectionNames.shuffled(using: &random)
      options.sections = Array(names.prefix(random.number(in: 1...3)))
    }
    var keys = RandomOperations.pool.shuffled(using: &random).prefix(random.number(in: 0...10))
    while let key = keys.popFirst() {
      var root = node(key, &keys, levels: 3)
      if !random.oneIn(3) { root.section = random.element(of: options.sections) }
      options.nodes.append(root)
    }
    return options
  }

  /// The possible names of sections.
  static let sectionNames: [ModelKey] = ["A", "B", "e\u{301}", "é", "a/b", "later"]

  private mutating func addView(to options: inout ModelSessionOptions) {
    options.rule = rule()
    options.forgetsNestedExpansion = random.oneIn(4)
    if profile.has(.accordion) { options.isAccordion = !random.oneIn(4) }
    if profile.has(.breadthFirst), !random.oneIn(4) { options.order = .breadthFirst }
    if profile.has(.viewSort), !random.oneIn(4) { options.viewSort = RandomObjects.sort(&random) }
    if profile.has(.filter), random.oneIn(2) { options.filter = RandomObjects.filter(&random) }
    if profile.has(.selection) { options.selection = selectionMode() }
  }

  private mutating func rule() -> ModelSessionOptions.Rule {
    random.choice([.all, .all, .none, .depth(1), .depth(2)])
  }

  private mutating func selectionMode() -> ModelSelectionMode {
    random.choice([.multiple, .multiple, .single, .none])
  }

  // MARK: - Changed options

  /// Returns random changes of options.
  ///
  /// - Parameter isPrivate: True if the session may change the sort of the tree.
  package mutating func patch(for session: ModelSession, isPrivate: Bool) -> ModelPatch {
    var patch = ModelPatch()
    if profile.has(.filter), random.oneIn(2) {
      patch.filter = .some(random.oneIn(3) ? nil : RandomObjects.filter(&random))
    }
    if profile.has(.breadthFirst), random.oneIn(2) {
      patch.order = random.choice(ModelOrder.allCases)
    }
    if profile.has(.viewSort), random.oneIn(2) {
      patch.viewSort = random.oneIn(3) ? [] : RandomObjects.sort(&random)
    }
    if profile.has(.selection), random.oneIn(2) { patch.selection = selectionMode() }
    if profile.has(.accordion), random.oneIn(2) { patch.isAccordion = random.oneIn(2) }
    if profile.has(.sort), isPrivate, random.oneIn(2) {
      patch.sort = random.oneIn(4) ? [] : RandomObjects.sort(&random)
    }
    if random.oneIn(4) { patch.rule = rule() }
    if random.oneIn(6) { patch.forgetsNestedExpansion = random.oneIn(2) }
    if random.oneIn(8) { patch.idleTimeoutSeconds = random.choice([0, 3_600, 31_536_000]) }
    return patch
  }
}
