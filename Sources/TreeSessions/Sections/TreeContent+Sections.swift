import TreeDomain
import TreeEngine

// Sections, which are nodes of the top level in the engine; see TreeSections.
extension TreeContent {
  /// Returns the section with a name.
  ///
  /// - Throws: `section-not-found`.
  func section(named name: ArraySlice<UInt8>) throws(ServiceError) -> NodeID {
    guard let node = sections.node(named: name) else {
      throw ServiceError(
        .sectionNotFound,
        "The tree has no section of this name; insert it first, or name another.",
        key: name
      )
    }
    return node
  }

  /// Returns the section that a nested root names, or else the first one.
  ///
  /// - Throws: `section-not-found`.
  func section(ofNested node: Int, in batch: Batch) throws(ServiceError) -> NodeID {
    guard let name = batch.rootSections[node] else { return sections.first }
    return try section(named: batch[name])
  }

  /// Returns the index of the section that contains a node, or that is the node.
  func sectionIndex(of node: NodeID) -> Int {
    sections.all.count == 1 ? 0 : tree.topLevelPosition(of: node)
  }

  // MARK: Operations

  mutating func insertSection(
    _ name: ArraySlice<UInt8>,
    at index: Int?
  ) throws(ServiceError) {
    try checkFree(name)
    guard sections.all.count < limits.maxSections else { throw .tooManySections(limits) }
    try checkNames(growingBy: name.count)
    let count = sections.all.count
    // A nameless section is not shown before there is another one, and comes first then.
    let index = index ?? count
    guard index <= count else { throw Self.indexOutOfRange(index, count) }
    addSections(named: [Array(name)], at: index)
  }

  mutating func removeSection(_ name: ArraySlice<UInt8>) throws(ServiceError) {
    let node = try section(named: name)
    siblings.forgetAll()
    siblings.forgetKeys(under: node)
    let isOnly = sections.all.count == 1
    if isOnly, name.isEmpty {
      for root in try tree.children(of: node, counting: meter) { try removeSubtree(root) }
      return
    }
    let index = sectionIndex(of: node)
    try removeSubtree(node)
    sections.remove(at: index)
    if isOnly { addSections(named: [[]], at: 0) }
  }

  mutating func moveSection(
    _ name: ArraySlice<UInt8>,
    to index: Int
  ) throws(ServiceError) {
    let node = try section(named: name)
    let last = sections.all.count - 1
    guard index <= last else { throw Self.indexOutOfRange(index, last) }
    let former = sectionIndex(of: node)
    try edited { tree, count throws(TreeError) in
      try tree.move(node, under: .forestRoot, at: index, counting: count)
    }
    sections.move(from: former, to: index)
  }

  mutating func renameSection(
    _ name: ArraySlice<UInt8>,
    to newName: ArraySlice<UInt8>
  ) throws(ServiceError) {
    let node = try section(named: name)
    guard name != newName else { return }
    try checkFree(newName)
    try checkNames(growingBy: newName.count - name.count)
    let new = Array(newName)
    tree.update(node, object: Self.sectionObject(new).span)
    sections.rename(at: sectionIndex(of: node), to: new)
  }

  private func checkNames(growingBy bytes: Int) throws(ServiceError) {
    guard bytes <= 0 || sections.list.nameBytes + bytes <= limits.maxSectionNameBytes else {
      throw .tooLongSections(limits)
    }
  }

  private func checkFree(_ name: ArraySlice<UInt8>) throws(ServiceError) {
    guard sections.node(named: name) != nil else { return }
    throw ServiceError(
      .duplicateKey,
      "A name is given to one section of a tree only; choose another.",
      key: name
    )
  }

  // MARK: The engine's side

  /// Adds adjacent sections, expanded in every view.
  ///
  /// - Precondition: No section has one of the names, and there is at least one name.
  mutating func addSections(named names: [[UInt8]], at index: Int) {
    var bytes: [UInt8] = []
    var new: [NewNode] = []
    for name in names {
      let start = bytes.count
      bytes += sections.makeKey()
      let keyEnd = bytes.count
      bytes += Self.sectionObject(name)
      let (key, object) = (start..<keyEnd, keyEnd..<bytes.count)
      new.append(NewNode(key: key, object: object, depth: 0, childState: .loaded))
    }
    do throws(TreeError) {
      // There are few sections, so no steps are counted.
      try tree.insert(new[...], bytes: bytes, under: .forestRoot, at: index) { _ in }
    } catch {
      preconditionFailure("a section has a key of its own and a place there is")
    }
    let added = zip(index..., names).map { place, name in
      TreeSections.Section(node: tree.child(place, of: .forestRoot), name: name)
    }
    sections.insert(Array(added), at: index)
    for section in added {
      tree.expandInAllViews(section.node)
      // The view of sleeping sessions shows nothing, so that no rows are counted there.
      if let view = sleepingView { tree.collapse(section.node, in: view) }
    }
  }

  /// Returns the object of a section's node, which contains its name and cannot be read as `null`.
  private static func sectionObject(_ name: [UInt8]) -> [UInt8] { [UInt8(ascii: "\"")] + name }

  /// Reads the sections from the engine's tree.
  mutating func readSections() {
    var read: [TreeSections.Section] = []
    tree.forEachChild(of: .forestRoot) { node in
      read.append(.init(node: node, name: Array(tree.object(of: node).dropFirst())))
      return true
    }
    sections.replace(by: read)
  }

  /// Returns the sections whose expansion differs from a rule, given the collapsed sections.
  func sectionToggles(under rule: ExpansionRule, collapsed: Set<NodeID>) -> [NodeID] {
    sections.all.map(\.node).filter { (rule == .none) != collapsed.contains($0) }
  }

  /// Returns the expansion that a session gets without its filter by another rule.
  ///
  /// The sections stay expanded or collapsed.
  ///
  /// - Complexity: O(sections).
  func unfilteredExpansion(
    by rule: ExpansionRule,
    of session: OpenSession
  ) -> PreparedLayer<Fanout<64>>.Expansion {
    let wasNone = tree.unfilteredRule(of: session.view) == .none
    var collapsed: Set<NodeID> = []
    for section in sections.all
    where tree.isToggledWithoutFilter(section.node, in: session.view) != wasNone {
      collapsed.insert(section.node)
    }
    let rule = rule.inEngine
    return (rule, sectionToggles(under: rule, collapsed: collapsed))
  }

  // MARK: Rows of the contract and rows of the engine, which include sections

  /// Returns the number of rows of a session.
  func rowCount(of session: OpenSession) -> Int {
    tree.rowCount(of: session.view) - sections.all.count
  }

  /// Returns the sections among a session's rows.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - showsAll: True if the expansion of an only and nameless section is needed as well.
  /// - Returns: The sections with their rows.
  /// - Complexity: O(*s* log *n*) for *s* sections, O(1) for one.
  func sectionRows(of session: OpenSession, showsAll: Bool = false) -> SectionRows {
    if !sections.isShown, !showsAll { return SectionRows(sections.list, headers: [0]) }
    return SectionRows(
      sections.list,
      headers: sections.all.map { section in
        guard let row = tree.rowIndex(of: section.node, in: session.view) else {
          preconditionFailure("nothing is above a section that could hide it")
        }
        return row
      },
      isExpanded: sections.all.map { tree.isExpanded($0.node, in: session.view) }
    )
  }

  /// Returns the engine's rows of adjacent rows, including the sections between them.
  ///
  /// - Precondition: There are `count` rows from `offset` on.
  func engineRows(from offset: Int, count: Int, _ places: SectionRows) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let first = places.engineRow(of: offset)
    let last = places.engineRow(of: offset + count - 1)
    return first..<(last + 1)
  }

  /// Returns the index of a node's row; nil if the node is hidden.
  func rowIndex(of node: NodeID, in session: OpenSession, _ places: SectionRows) -> Int? {
    tree.rowIndex(of: node, in: session.view).map { places.location(of: $0).row }
  }
}
