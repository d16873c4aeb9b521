import TreeDomain
import TreeEngine

/// The sections before a commit.
struct FormerSections: Sendable {
  var commit: Int
  var sections: TreeSections
  /// The size in bytes of the names that the commit replaced or removed.
  ///
  /// The others are shared with later lists.
  var ownNameBytes = 0

  /// The memory of the list in bytes.
  var byteCount: Int {
    64 + sections.all.count * MemoryLayout<TreeSections.Section>.stride + ownNameBytes
  }

  /// The weight in the history: a section, or some bytes of names, counts as a row.
  var weight: Int { sections.all.count + ownNameBytes / 32 }
}

// Sections, which are nodes of the top level in the engine; see TreeSections.
extension TreeManager {
  /// Returns the section with a name.
  ///
  /// - Throws: `section-not-found`.
  func section(named name: ArraySlice<UInt8>) throws(ServiceError) -> NodeID {
    guard let node = namedSections[Array(name)] else {
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
    guard let name = batch.rootSections[node] else { return firstSection }
    return try section(named: batch[name])
  }

  /// The section of roots for which none is named.
  var firstSection: NodeID { sections.all[0].node }

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
    guard sections.all.count < limits.maxSections else { throw Self.tooManySections(limits) }
    let count = sections.all.count
    // A nameless section is not shown before there is another one, and comes first then.
    let index = index ?? count
    guard index <= count else { throw Self.indexOutOfRange(index, count) }
    addSections(named: [Array(name)], at: index)
  }

  static func tooManySections(_ limits: SessionLimits) -> ServiceError {
    .tooLarge(
      limit: limits.maxSections,
      "A tree has no more sections than `limit`; remove some first."
    )
  }

  mutating func removeSection(_ name: ArraySlice<UInt8>) throws(ServiceError) {
    let node = try section(named: name)
    sorted.forgetAll()
    sortKeys.forgetSiblings(under: node)
    let isOnly = sections.all.count == 1
    if isOnly, name.isEmpty {
      for root in try children(of: node) { try removeSubtree(root) }
      return
    }
    let index = sectionIndex(of: node)
    try removeSubtree(node)
    sections.remove(at: index)
    namedSections[Array(name)] = nil
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
    let new = Array(newName)
    tree.update(node, object: Self.sectionObject(new).span)
    sections.rename(at: sectionIndex(of: node), to: new)
    namedSections[Array(name)] = nil
    namedSections[new] = node
  }

  private func checkFree(_ name: ArraySlice<UInt8>) throws(ServiceError) {
    guard namedSections[Array(name)] != nil else { return }
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
      sectionCount += 1
      let start = bytes.count
      // No client's key begins with this byte, because it is not UTF-8.
      bytes.append(0xFF)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: sectionCount >> UInt64(shift)))
      }
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
      namedSections[section.name] = section.node
      tree.expandInAllViews(section.node)
      // The view of sleeping sessions shows nothing, so that no rows are counted there.
      if let view = asleep.view { tree.collapse(section.node, in: view) }
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
    sections = TreeSections(read)
    namedSections = sections.nodes
  }

  // MARK: The past

  /// Records the former sections if the last commit changed them.
  mutating func logSections() {
    guard before.sections != sections else { return }
    let former = FormerSections(
      commit: tree.commitNumber,
      sections: before.sections,
      ownNameBytes: before.sections.nameBytes(missingIn: sections)
    )
    formerSections.append(former)
    // Each record is a copy, so fewer are kept if there are many sections.
    var weight = formerSections.reduce(0) { $0 + $1.weight }
    while let first = formerSections.first,
      weight > limits.history.totalRows || formerSections.count > limits.history.commits
    {
      weight -= first.weight
      tree.forgetHistory(through: first.commit)
      formerSections.removeFirst()
    }
  }

  /// Returns the sections after a commit.
  ///
  /// - Precondition: The session's history contains the commit.
  func sections(after commit: Int) -> TreeSections {
    formerSections.first { $0.commit > commit }?.sections ?? sections
  }
}
