extension RandomOperations {
  /// Returns new children for a node or the roots. They are mostly the existing ones with some
  /// changes, as from a client that loads them again.
  mutating func setChildren(_ session: ModelSession) -> ModelOperation {
    guard let key = random.element(of: session.keys), let node = session.tree.nodes[key],
      !random.oneIn(4)
    else { return setRoots(session) }
    switch random.number(in: 0...9) {
    case 0: return .setChildren(.node(key), .none)
    case 1: return .setChildren(.node(key), .state(.unloaded, hint: hint()))
    case 2...3:
      // The contract leaves open if a count survives, so nodes with children get none.
      let count = node.children.isEmpty ? random.number(in: 0...9) : nil
      let state: ModelNewChildren.State = random.oneIn(2) ? .loading : .failed
      return .setChildren(.node(key), .state(state, hint: count))
    default:
      let ancestors = (node.ancestors + [node]).map(\.key)
      let given = changed(node.children.map { snapshot($0) }, session, without: ancestors)
      return .setChildren(.node(key), .nodes(given))
    }
  }

  private mutating func setRoots(_ session: ModelSession) -> ModelOperation {
    let name = random.choice(session.tree.sections).name
    if session.tree.hasSections, random.oneIn(2) {
      let roots = session.tree.sections.first { $0.name == name }?.roots ?? []
      if random.oneIn(8) { return .setChildren(.roots(section: name), .none) }
      let given = changed(roots.map { snapshot($0) }, session, without: [])
      return .setChildren(.roots(section: name), .nodes(given))
    }
    if random.oneIn(12) { return .setChildren(.roots(section: nil), .none) }
    var given = changed(session.tree.roots.map { snapshot($0) }, session, without: [])
    for index in given.indices where session.tree.hasSections && !random.oneIn(4) {
      let old = session.tree.nodes[given[index].key].map { session.tree.section(of: $0).name }
      given[index].section = random.oneIn(4) ? name : old
    }
    return .setChildren(.roots(section: nil), .nodes(given))
  }

  private mutating func hint() -> Int? {
    random.oneIn(2) ? nil : random.number(in: 0...9)
  }

  /// Returns an existing node as a node to insert.
  private mutating func snapshot(_ node: ModelNode) -> ModelNestedNode {
    // The bytes after a merge are undefined, so the object is replaced.
    let isKept = !node.isMerged && !random.oneIn(6)
    let object = isKept ? node.object : RandomObjects.object(&random)
    var nested = ModelNestedNode(node.key, object: object)
    switch node.childState {
    case .leaf: break
    case .unloaded, .loading, .failed: nested.children = .unloaded
    case .loaded:
      nested.children =
        random.oneIn(4) ? .unloaded : .loaded(node.children.map { snapshot($0) })
    }
    return nested
  }

  /// Returns nodes with some removed, others inserted, and some in other places.
  private mutating func changed(
    _ nodes: [ModelNestedNode],
    _ session: ModelSession,
    without banned: [ModelKey]
  ) -> [ModelNestedNode] {
    var given = nodes.map { node in
      guard case .loaded(let inside) = node.children, random.oneIn(2) else { return node }
      var node = node
      node.children = .loaded(changed(inside, session, without: banned))
      return node
    }
    if random.oneIn(3) { given = given.filter { _ in !random.oneIn(4) } }
    if random.oneIn(3) { given.shuffle(using: &random) }
    let strangers = session.keys + RandomOperations.pool
    for key in strangers.shuffled(using: &random).prefix(random.number(in: 0...2)) {
      guard !banned.contains(key) else { continue }
      var none = [ModelKey]()[...]
      let node = session.tree.nodes[key].map { snapshot($0) } ?? node(key, &none, levels: 0)
      given.insert(node, at: random.number(in: 0...given.count))
    }
    return unique(given)
  }

  /// Returns the nodes without those that repeat a key.
  private func unique(_ nodes: [ModelNestedNode]) -> [ModelNestedNode] {
    var seen: Set<ModelKey> = []
    return nodes.filter { node in
      let keys = Set(node.keys)
      guard keys.count == node.keys.count, seen.isDisjoint(with: keys) else { return false }
      seen.formUnion(keys)
      return true
    }
  }
}
