import TreeDomain
import TreeEngine

/// The sections as they were before a commit.
struct FormerSections: Sendable {
  var commit: Int
  var sections: TreeSections
}

// Sections: to the engine the nodes of the top level; see TreeSections.
extension TreeManager {
  /// The section with a name.
  ///
  /// - Throws: `section-not-found`.
  func section(named name: ArraySlice<UInt8>) throws(ServiceError) -> NodeID {
    sections.all[try sectionIndex(name)].node
  }

  private func sectionIndex(_ name: ArraySlice<UInt8>) throws(ServiceError) -> Int {
    guard let index = sections.index(named: name) else {
      throw ServiceError(.sectionNotFound, "The tree has no section of this name.", key: name)
    }
    return index
  }

  /// The section that a nested root names, else the first.
  func section(ofNested node: Int, in batch: Batch) throws(ServiceError) -> NodeID {
    guard let name = batch.rootSections[node] else { return firstSection }
    return try section(named: batch[name])
  }

  /// Where roots go that name no section.
  var firstSection: NodeID { sections.all[0].node }

  /// The place of the section that a node is in, which may be the node itself.
  func sectionIndex(of node: NodeID) -> Int {
    sections.all.count == 1 ? 0 : tree.topLevelPosition(of: node)
  }

  // MARK: Operations

  mutating func insertSection(
    _ name: ArraySlice<UInt8>,
    at index: Int?
  ) throws(ServiceError) {
    try checkFree(name)
    guard sections.all.count < limits.maxSections else {
      var error = ServiceError(.contentTooLarge, "The tree has as many sections as it may.")
      error.limit = limits.maxSections
      throw error
    }
    let count = sections.all.count
    // The nameless section is not shown before there is another one, and comes first then.
    let index = index ?? count
    guard index <= count else { throw Self.indexOutOfRange(index, count) }
    addSection(named: Array(name), at: index)
  }

  mutating func removeSection(_ name: ArraySlice<UInt8>) throws(ServiceError) {
    let node = try section(named: name)
    sorted.forgetAll()
    let isOnly = sections.all.count == 1
    if isOnly, name.isEmpty {
      for root in children(of: node) { tree.remove(root) }
      return
    }
    tree.remove(node)
    readSections()
    if isOnly { addSection(named: [], at: 0) }
  }

  mutating func moveSection(
    _ name: ArraySlice<UInt8>,
    to index: Int
  ) throws(ServiceError) {
    let node = try section(named: name)
    let last = sections.all.count - 1
    guard index <= last else { throw Self.indexOutOfRange(index, last) }
    do throws(TreeError) {
      try tree.move(node, under: .forestRoot, at: index)
    } catch {
      preconditionFailure("a section can always move among the sections")
    }
    readSections()
  }

  mutating func renameSection(
    _ name: ArraySlice<UInt8>,
    to newName: ArraySlice<UInt8>
  ) throws(ServiceError) {
    let node = try section(named: name)
    guard name != newName else { return }
    try checkFree(newName)
    tree.update(node, object: Self.sectionObject(Array(newName)).span)
    readSections()
  }

  private func checkFree(_ name: ArraySlice<UInt8>) throws(ServiceError) {
    guard sections.index(named: name) != nil else { return }
    throw ServiceError(
      .duplicateKey,
      "A name is given to one section of a tree only; choose another.",
      key: name
    )
  }

  // MARK: The engine's side

  /// Makes a section that every view shows expanded.
  mutating func addSection(named name: [UInt8], at index: Int) {
    sectionCount += 1
    // No client's key begins so, for it is not UTF-8.
    var bytes: [UInt8] = [0xFF]
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: sectionCount >> UInt64(shift)))
    }
    let keyEnd = bytes.count
    bytes += Self.sectionObject(name)
    let new = NewNode(
      key: 0..<keyEnd,
      object: keyEnd..<bytes.count,
      depth: 0,
      childState: .loaded
    )
    do throws(TreeError) {
      let node = try tree.insert([new], bytes: bytes, under: .forestRoot, at: index)
      tree.expandInAllViews(node)
      // In the view of those who sleep nothing is shown, so that nothing is counted there.
      if let view = asleep.view { tree.collapse(node, in: view) }
    } catch {
      preconditionFailure("a section has a key of its own and a place there is")
    }
    readSections()
  }

  /// A section's name as the object of its node, which must not be taken for `null`.
  private static func sectionObject(_ name: [UInt8]) -> [UInt8] { [UInt8(ascii: "\"")] + name }

  /// Reads the sections from the tree anew.
  mutating func readSections() {
    var read: [TreeSections.Section] = []
    tree.forEachChild(of: .forestRoot) { node in
      read.append(.init(node: node, name: Array(tree.object(of: node).dropFirst())))
      return true
    }
    sections = TreeSections(read)
  }

  /// A node's children.
  ///
  /// - Complexity: O(*k* log *n*).
  func children(of parent: NodeID) -> [NodeID] {
    var found: [NodeID] = []
    found.reserveCapacity(tree.childCount(of: parent))
    tree.forEachChild(of: parent) { node in
      found.append(node)
      return true
    }
    return found
  }

  // MARK: The past

  /// Remembers the sections of before, where the commit just made changed them.
  mutating func logSections() {
    guard before.sections != sections else { return }
    formerSections.append(FormerSections(commit: tree.commitNumber, sections: before.sections))
    let excess = formerSections.count - limits.history.commits
    if excess > 0 { formerSections.removeFirst(excess) }
  }

  /// The sections after a commit.
  ///
  /// - Precondition: the commit is one of those that the session's history keeps.
  func sections(after commit: Int) -> TreeSections {
    formerSections.first { $0.commit > commit }?.sections ?? sections
  }
}
