extension RandomOperations {
  /// Returns an operation of a feature of the profile; nil if the feature has none.
  mutating func featured(for session: ModelSession) -> ModelOperation? {
    guard let feature = random.element(of: profile.operating) else { return nil }
    switch feature {
    case .sections: return sectionOperation(session)
    case .lazy: return setChildren(session)
    case .sort: return sort(session)
    case .selection: return selection(session)
    case .filter, .breadthFirst, .viewSort, .accordion, .patches, .conditions, .following, .views,
      .access:
      return nil
    }
  }

  // MARK: - Sections

  private mutating func sectionOperation(_ session: ModelSession) -> ModelOperation? {
    let names = session.tree.sections.map(\.name)
    let fresh = RandomOperations.sectionNames.filter { !names.contains($0) }
    let name = random.choice(names)
    // The contract leaves operations on a hidden nameless section open.
    guard session.tree.hasSections else {
      return fresh.first.map { .insertSection($0, index: random.oneIn(2) ? nil : 0) }
    }
    switch random.number(in: 0...9) {
    case 0...1:
      let index = random.oneIn(2) ? nil : random.number(in: 0...names.count)
      return random.element(of: fresh).map { .insertSection($0, index: index) }
    case 2: return random.oneIn(2) ? .removeSection(name) : .expandSection(name)
    case 3...4: return .moveSection(name, index: random.number(in: 0...names.count - 1))
    case 5: return renameSection(name, fresh)
    case 6...7: return .expandSection(name)
    default:
      // The contract leaves open if a collapsed section forgets the expansion inside.
      return session.view.forgetsNestedExpansion ? nil : .collapseSection(name)
    }
  }

  private mutating func renameSection(_ name: ModelKey, _ fresh: [ModelKey]) -> ModelOperation? {
    if random.oneIn(4), !name.bytes.isEmpty { return .renameSection(name, to: name) }
    return random.element(of: fresh).map { .renameSection(name, to: $0) }
  }

  /// Returns a place among the roots: a section, which may be left out if it is implied, and a
  /// place in it.
  mutating func rootPlace(
    in session: ModelSession,
    otherwise: ModelSection,
    without moved: [ModelKey] = []
  ) -> (section: ModelKey?, place: ModelPlace) {
    guard session.tree.hasSections else {
      let siblings = session.children(of: nil) ?? []
      return (nil, place(among: siblings.filter { !moved.contains($0.key) }))
    }
    let section = random.oneIn(2) ? otherwise : random.choice(session.tree.sections)
    let roots = session.children(of: nil, section: section.name) ?? []
    let place = place(among: roots.filter { !moved.contains($0.key) })
    let follows = section === otherwise ? place.anchor == nil : place.anchor != nil
    return (follows && random.oneIn(2) ? nil : section.name, place)
  }

  // MARK: - Order and selection

  private mutating func sort(_ session: ModelSession) -> ModelOperation {
    let sort = RandomObjects.sort(&random)
    let target: ModelSortTarget
    switch random.number(in: 0...3) {
    case 0: target = .everywhere
    case 1 where session.tree.hasSections:
      target = .roots(section: random.choice(session.tree.sections).name)
    case 1: target = .roots(section: nil)
    default:
      target = random.element(of: session.keys).map { .children($0) } ?? .everywhere
    }
    return .sort(target, by: sort)
  }

  private mutating func selection(_ session: ModelSession) -> ModelOperation? {
    guard let key = random.element(of: session.keys) else { return .clearSelection }
    let isLeaf = session.tree.nodes[key]?.children.isEmpty == true
    let many: ModelSelection = random.oneIn(2) ? .keys(some(session.keys)) : .subtree(key)
    let one: ModelSelection = isLeaf && random.oneIn(2) ? .subtree(key) : .keys([key])
    if random.oneIn(8) { return .clearSelection }
    if random.oneIn(4) { return .deselect(random.oneIn(2) ? many : one) }
    switch session.view.selection {
    case .none: return nil
    case .single:
      let revealed = random.element(of: session.revealableKeys)
      return random.oneIn(4) ? revealed.map { .reveal([$0], selects: true) } : .select(one)
    case .multiple:
      let revealed = some(session.revealableKeys)
      if random.oneIn(4), !revealed.isEmpty { return .reveal(revealed, selects: true) }
      return .select(random.oneIn(2) ? many : one)
    }
  }

  // MARK: - Refused

  /// Returns an operation of a feature that the session refuses now.
  mutating func refusedFeature(by session: ModelSession) -> ModelOperation? {
    if profile.has(.filter), random.oneIn(2), let hidden = hiddenReveal(by: session) {
      return hidden
    }
    guard let feature = random.element(of: profile.operating) else { return nil }
    let name = session.tree.sections[0].name
    let key = random.element(of: session.keys)
    let one = ModelNestedNode("fresh")
    switch feature {
    case .sections:
      let count = session.tree.sections.count
      let wrong: [ModelOperation] = [
        .removeSection("nowhere"), .moveSection("nowhere", index: 0), .expandSection("nowhere"),
        .renameSection("nowhere", to: "new"), .collapseSection("nowhere"),
        .insert(one, parent: nil, section: "nowhere", place: .first),
        .insertSection("new", index: count + 1), .insertSection("", index: nil),
        .setChildren(.roots(section: "nowhere"), .nodes([])),
      ]
      let known: [ModelOperation] = [
        .insertSection(name, index: nil), .moveSection(name, index: count),
        .renameSection(name, to: ""),
      ]
      return random.choice(name.bytes.isEmpty ? wrong : wrong + known)
    case .lazy:
      return random.choice(
        [
          .setChildren(.node("nowhere"), .none),
          .setChildren(.roots(section: nil), .nodes([one, one])),
          .setChildren(
            .roots(section: nil),
            .state(random.choice([.unloaded, .failed]), hint: nil)
          ),
        ] + (key.map { [.setChildren(.node($0), .nodes([ModelNestedNode($0)]))] } ?? [])
      )
    case .sort: return .sort(.children("nowhere"), by: [ModelSort(by: "")])
    case .selection: return refusedSelection(session)
    case .filter, .breadthFirst, .viewSort, .accordion, .patches, .conditions, .following, .views,
      .access:
      return nil
    }
  }

  /// Returns a reveal of nodes of which the filter hides at least one.
  private mutating func hiddenReveal(by session: ModelSession) -> ModelOperation? {
    let revealable = session.revealableKeys
    let hidden = session.keys.filter { !revealable.contains($0) }
    guard let key = random.element(of: hidden) else { return nil }
    return .reveal((some(revealable) + [key]).shuffled(using: &random))
  }

  private mutating func refusedSelection(_ session: ModelSession) -> ModelOperation {
    let keys = session.keys
    if keys.count > 1, session.view.selection == .single {
      let revealed = some(session.revealableKeys)
      return random.oneIn(2) || revealed.count < 2
        ? .select(.keys(some(keys))) : .reveal(revealed, selects: true)
    }
    if let key = keys.first, session.view.selection == .none { return .select(.subtree(key)) }
    let selection: ModelSelection = random.oneIn(2) ? .keys(["nowhere"]) : .subtree("nowhere")
    return random.oneIn(2) ? .select(selection) : .deselect(selection)
  }
}
