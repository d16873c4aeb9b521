/// A generator of random sessions and batches for the differential tests.
///
/// Keys come from a small pool, so that operations interact. About one batch in eight has an
/// operation that must be refused, over time for every possible reason.
package struct RandomOperations {
  var random: SeededGenerator

  /// All keys: ASCII, keys that need escapes, and two that differ only in normalization.
  static let pool =
    (1...22).map { ModelKey("k\($0)") } + [
      "é", "e\u{301}", "a/b", "100%", "#x", "q\"\\", " ", "日本",
    ]

  /// The features to test, beyond places and expansion.
  let profile: RandomProfile

  /// Creates the operations of a seed.
  package init(seed: UInt64, profile: RandomProfile = .plain) {
    random = SeededGenerator(seed: seed)
    self.profile = profile
  }

  /// Returns a batch for the current state of a session, either valid or with one refused
  /// operation.
  ///
  /// In one batch of ten the operations cancel each other, which may be refused, too.
  package mutating func batch(for session: ModelSession) -> [ModelOperation] {
    if random.oneIn(10) { return pair(for: session) }
    let work = session.copy()
    let count = random.oneIn(3) ? random.number(in: 2...7) : 1
    let bad = random.oneIn(8) ? random.number(in: 0...count - 1) : nil
    return (0..<count).map { index in
      let operation = index == bad ? refused(by: work) : accepted(by: work)
      // Operations after a refused one are decoded but not applied.
      _ = try? work.apply([operation])
      return operation
    }
  }

  // MARK: - Operations that succeed

  mutating func accepted(by session: ModelSession) -> ModelOperation {
    if random.oneIn(2), let operation = featured(for: session) { return operation }
    let fresh = RandomOperations.pool.filter { session.tree.nodes[$0] == nil }
    let keys = session.keys
    if keys.isEmpty || (!fresh.isEmpty && random.oneIn(3)) { return insert(fresh, session) }
    let key = random.choice(keys)
    switch random.number(in: 0...19) {
    case 0...1, 18...19: return .update(key, object: RandomObjects.object(&random))
    case 2...3: return merge(key, session)
    case 4...5: return removal(of: key, keys) ?? .toggle(key, levels: .all)
    case 6...9: return move(session)
    case 10...11: return .expand(key, levels: levels())
    case 12...13: return .collapse(key, levels: levels())
    case 14: return .toggle(key, levels: levels())
    case 15: return random.oneIn(2) ? .expandAll : .collapseAll
    default: return reveal(session) ?? .expand(key, levels: levels())
    }
  }

  /// Removes one or more nodes; in a small tree only at times.
  private mutating func removal(of key: ModelKey, _ keys: [ModelKey]) -> ModelOperation? {
    guard keys.count > 8 || random.oneIn(3) else { return nil }
    return random.oneIn(2) ? .remove(key) : .removeAll(some(keys))
  }

  private mutating func reveal(_ session: ModelSession) -> ModelOperation? {
    let keys = session.revealableKeys
    guard let key = random.element(of: keys) else { return nil }
    return .reveal(random.oneIn(2) ? [key] : some(keys))
  }

  private mutating func insert(_ fresh: [ModelKey], _ session: ModelSession) -> ModelOperation {
    var keys = fresh.shuffled(using: &random).prefix(random.oneIn(4) ? 5 : 1)
    guard let key = keys.popFirst() else { return .expandAll }
    let parent = parent(in: session)
    let node = node(key, &keys, levels: 3)
    guard parent == nil else {
      let place = place(among: session.children(of: parent) ?? [])
      return .insert(node, parent: parent, place: place)
    }
    let (section, place) = rootPlace(in: session, otherwise: session.tree.sections[0])
    return .insert(node, parent: nil, section: section, place: place)
  }

  private mutating func merge(_ key: ModelKey, _ session: ModelSession) -> ModelOperation {
    let isDefined = session.tree.nodes[key].map { !$0.object.hasDuplicateNames } ?? false
    return isDefined
      ? .merge(key, patch: RandomObjects.patch(&random))
      : .update(key, object: RandomObjects.object(&random))
  }

  mutating func move(_ session: ModelSession) -> ModelOperation {
    let moved = random.oneIn(3) ? some(session.keys) : [random.choice(session.keys)]
    let nodes = moved.compactMap { session.tree.nodes[$0] }
    let inside = nodes.flatMap(\.subtree).map(\.key)
    let targets = session.keys.filter { !inside.contains($0) }
    guard !random.oneIn(4), let parent = random.element(of: targets) else {
      let home = session.tree.section(of: nodes[0])
      let (section, place) = rootPlace(in: session, otherwise: home, without: moved)
      return .move(moved, parent: nil, section: section, place: place)
    }
    let siblings = session.children(of: parent) ?? []
    return .move(
      moved,
      parent: parent,
      place: place(among: siblings.filter { !moved.contains($0.key) })
    )
  }

  // MARK: - Parts

  /// Returns a node whose descendants take their keys from the front of `keys`.
  mutating func node(
    _ key: ModelKey,
    _ keys: inout ArraySlice<ModelKey>,
    levels: Int
  ) -> ModelNestedNode {
    let object = random.oneIn(5) ? nil : RandomObjects.object(&random)
    if random.oneIn(8) {
      var node = ModelNestedNode(key, object: object, children: .unloaded)
      if profile.has(.lazy), random.oneIn(2) { node.hint = random.number(in: 0...9) }
      return node
    }
    let isLeaf = levels == 0 || random.oneIn(keys.isEmpty ? 1 : 2)
    guard !isLeaf || random.oneIn(12) else { return ModelNestedNode(key, object: object) }
    var children: [ModelNestedNode] = []
    for _ in 0..<(isLeaf ? 0 : random.number(in: 1...3)) {
      guard let child = keys.popFirst() else { break }
      children.append(node(child, &keys, levels: levels - 1))
    }
    return ModelNestedNode(key, object: object, children: .loaded(children))
  }

  mutating func place(among siblings: [ModelRow]) -> ModelPlace {
    let anchor = random.element(of: siblings)?.key
    switch random.number(in: 0...6) {
    case 0: return .first
    case 1...2: return .index(random.number(in: 0...siblings.count))
    case 3: return anchor.map(ModelPlace.before) ?? .first
    case 4: return anchor.map(ModelPlace.after) ?? .index(siblings.count)
    case 5: return .sort(RandomObjects.sort(&random))
    default: return .unspecified
    }
  }

  private mutating func parent(in session: ModelSession) -> ModelKey? {
    random.oneIn(4) ? nil : random.element(of: session.keys)
  }

  private mutating func levels() -> ModelLevels {
    random.choice([.count(1), .count(1), .count(2), .count(3), .all])
  }

  /// Returns two to four random keys, or all if there are fewer.
  mutating func some(_ keys: [ModelKey]) -> [ModelKey] {
    Array(keys.shuffled(using: &random).prefix(random.number(in: 2...4)))
  }
}
