extension ModelTree {
  /// Inserts a node with its descendants.
  func insert(
    _ nested: ModelNestedNode,
    parent key: ModelKey?,
    section: ModelKey? = nil,
    place: ModelPlace
  ) throws(ModelRefusal) {
    let parent = try parent(key, section: section, place: place, otherwise: sections[0])
    let keys = nested.keys
    guard Set(keys).count == keys.count, keys.allSatisfy({ nodes[$0] == nil }) else {
      throw ModelRefusal(code: .duplicateKey)
    }
    try checkPlace(place, under: parent)
    try checkDepth(of: nested.height, under: parent)
    add(nested, under: parent, place: place)
  }

  /// Replaces the object. With a sort of the tree, a changed value moves the node.
  func update(_ node: ModelNode, object: RawJSON, isMerged: Bool) {
    let old = SortSubject(key: node.key, object: node.object)
    node.object = object
    node.isMerged = isMerged
    guard sort.order(old, node.subject) != 0 else { return }
    let parent = parent(of: node)
    let former = detach(node)
    attach(node, from: former, under: parent, place: .unspecified)
  }

  /// Removes a node and its descendants.
  func remove(_ node: ModelNode) {
    detach(node)
    for node in node.subtree { nodes[node.key] = nil }
  }

  /// Moves nodes as the contract's `move` does.
  func move(
    _ keys: [ModelKey],
    parent key: ModelKey?,
    section: ModelKey? = nil,
    place: ModelPlace
  ) throws(ModelRefusal) {
    var moved: [ModelNode] = []
    for key in keys { moved.append(try node(key)) }
    let home = moved.first.map { self.section(of: $0) } ?? sections[0]
    let parent = try parent(key, section: section, place: place, otherwise: home)
    if case .node(let parent) = parent, moved.contains(where: { parent.isInside($0) }) {
      throw ModelRefusal(code: .cycle)
    }
    let former = moved.map { detach($0) }
    try checkPlace(place, under: parent)
    for node in moved { try checkDepth(of: node.height, under: parent) }
    var place = place
    for (node, former) in zip(moved, former) {
      attach(node, from: former, under: parent, place: place)
      if !place.isSorted(in: self) { place = .after(node.key) }
    }
  }

  // MARK: - Steps of operations

  /// Returns the parent of a key. For nil it returns the named section, else that of the anchor,
  /// else another.
  private func parent(
    _ key: ModelKey?,
    section: ModelKey?,
    place: ModelPlace,
    otherwise: ModelSection
  ) throws(ModelRefusal) -> ModelParent {
    if let key {
      guard let parent = nodes[key] else { throw ModelRefusal(code: .parentNotFound) }
      return .node(parent)
    }
    if let section { return .section(try self.section(section)) }
    if let anchor = place.anchor.flatMap({ nodes[$0] }), anchor.parent == nil {
      return .section(self.section(of: anchor))
    }
    return .section(otherwise)
  }

  private func checkPlace(_ place: ModelPlace, under parent: ModelParent) throws(ModelRefusal) {
    let siblings = parent.children
    switch place {
    case .unspecified, .first, .sort: break
    case .index(let index):
      guard (0...siblings.count).contains(index) else {
        throw ModelRefusal(code: .indexOutOfRange)
      }
    case .before(let anchor), .after(let anchor):
      guard siblings.contains(where: { $0.key == anchor }) else {
        throw ModelRefusal(code: .anchorNotASibling)
      }
    }
  }

  func checkDepth(of height: Int, under parent: ModelParent) throws(ModelRefusal) {
    guard let maximumDepth else { return }
    guard parent.childDepth + height - 1 <= maximumDepth else {
      throw ModelRefusal(code: .depthLimit)
    }
  }

  private func add(_ nested: ModelNestedNode, under parent: ModelParent, place: ModelPlace) {
    let node = make(nested)
    attach(node, under: parent, place: place)
    if case .loaded(let inside) = nested.children {
      for child in inside { add(child, under: .node(node), place: .unspecified) }
    }
  }

  /// Creates a node without a parent and children.
  func make(_ nested: ModelNestedNode) -> ModelNode {
    let state: ModelNode.ChildState =
      switch nested.children {
      case .leaf: .leaf
      case .unloaded: .unloaded
      case .loaded: .loaded
      }
    let node = ModelNode(
      identity: newIdentity(),
      key: nested.key,
      object: nested.object ?? .null,
      childState: state
    )
    node.hint = nested.hint
    nodes[node.key] = node
    return node
  }

  /// Detaches a node and returns its former parent.
  @discardableResult
  private func detach(_ node: ModelNode) -> ModelNode? {
    let former = node.parent
    let parent = parent(of: node)
    parent.setChildren(parent.children.filter { $0 !== node })
    node.parent = nil
    return former
  }

  /// Attaches a node to a parent. A parent with a new child becomes `loaded`.
  private func attach(
    _ node: ModelNode,
    from former: ModelNode? = nil,
    under parent: ModelParent,
    place: ModelPlace
  ) {
    var siblings = parent.children
    siblings.insert(node, at: position(of: node, at: place, among: siblings))
    parent.setChildren(siblings)
    if case .node(let parent) = parent, parent !== former {
      parent.childState = .loaded
      parent.hint = nil
    }
  }
}

extension ModelTree {
  fileprivate func position(
    of node: ModelNode,
    at place: ModelPlace,
    among siblings: [ModelNode]
  ) -> Int {
    switch place {
    case .unspecified:
      sort.isEmpty ? siblings.count : sortedPosition(of: node, among: siblings, by: sort)
    case .first: 0
    case .index(let index): index
    case .before(let anchor): siblings.firstIndex { $0.key == anchor } ?? 0
    case .after(let anchor): (siblings.firstIndex { $0.key == anchor } ?? 0) + 1
    case .sort(let sort): sortedPosition(of: node, among: siblings, by: sort)
    }
  }

  /// Returns the index before the first sibling that compares greater.
  private func sortedPosition(
    of node: ModelNode,
    among siblings: [ModelNode],
    by sort: [ModelSort]
  ) -> Int {
    siblings.firstIndex { sort.order($0.subject, node.subject) > 0 } ?? siblings.count
  }
}

extension ModelNode {
  /// The values that the node is sorted, filtered and found by.
  var subject: SortSubject {
    SortSubject(key: key, object: object)
  }
}

extension ModelPlace {
  /// Returns true if each of several moved nodes has its own sorted place.
  fileprivate func isSorted(in tree: ModelTree) -> Bool {
    switch self {
    case .sort: true
    case .unspecified: !tree.sort.isEmpty
    case .first, .index, .before, .after: false
    }
  }

  /// The sibling that the place refers to.
  var anchor: ModelKey? {
    switch self {
    case .before(let key), .after(let key): key
    case .unspecified, .first, .index, .sort: nil
    }
  }
}
