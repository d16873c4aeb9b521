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
    Self.ownBytes + sections.all.count * MemoryLayout<TreeSections.Section>.stride + ownNameBytes
  }

  /// The memory of the entry and of an empty list of sections, in bytes.
  private static let ownBytes = 104

  /// The weight in the history: each section, and each 32 bytes of names, count as a row.
  var weight: Int { sections.all.count + ownNameBytes / 32 }
}

/// The sections of a tree, now and before earlier commits, with their savepoint.
struct SectionTable: Sendable {
  /// The current sections.
  private(set) var list = TreeSections([])
  /// The sections before each of the newest commits that changed them, oldest first.
  private(set) var former: [FormerSections] = [] {
    didSet { formerBytes = former.reduce(0) { $0 + $1.byteCount } }
  }
  /// The memory of ``former`` in bytes.
  private(set) var formerBytes = 0
  /// The number of sections made so far, from which the keys of their nodes are made.
  private(set) var madeCount: UInt64
  /// The nodes of sections by name.
  private(set) var nodes: [[UInt8]: NodeID] = [:]
  /// The state to restore on a rollback.
  private var savepoint = (list: TreeSections([]), nodes: [[UInt8]: NodeID]())
  /// True if the savepoint may hold memory of its own.
  private var isChanged = false

  /// Makes a table without sections, given the number of those made so far.
  init(madeCount: UInt64 = 0) { self.madeCount = madeCount }

  var all: [TreeSections.Section] { list.all }

  /// True if sections are shown.
  ///
  /// A nameless section that is the only one is not shown.
  var isShown: Bool { list.isShown }

  /// The sections that are shown.
  var shown: [TreeSections.Section] { list.shown }

  /// The node of the first section, where roots without a named section go.
  var first: NodeID { list.all[0].node }

  /// The memory of the current sections and of the savepoint in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    let own = list.listBytes + list.allNameBytes + Self.bytes(of: nodes)
    return isChanged ? own + savepoint.list.listBytes + Self.bytes(of: savepoint.nodes) : own
  }

  /// The approximate memory of the sections in a description, in bytes.
  var descriptionBytes: Int { list.descriptionBytes }

  /// Returns the memory of a table of names in bytes, without the names.
  private static func bytes(of nodes: [[UInt8]: NodeID]) -> Int {
    nodes.capacity * 4 / 3 * (MemoryLayout<[UInt8]>.stride + MemoryLayout<NodeID>.stride)
  }

  /// Returns the node of the section with a name; nil if there is none.
  func node(named name: ArraySlice<UInt8>) -> NodeID? { nodes[Array(name)] }

  // MARK: Changes

  /// Returns the bytes of the key of a new section.
  mutating func makeKey() -> [UInt8] {
    madeCount += 1
    // No client's key begins with this byte, because it is not UTF-8.
    var key: [UInt8] = [0xFF]
    for shift in stride(from: 56, through: 0, by: -8) {
      key.append(UInt8(truncatingIfNeeded: madeCount >> UInt64(shift)))
    }
    return key
  }

  mutating func insert(_ sections: [TreeSections.Section], at index: Int) {
    isChanged = true
    list.insert(sections, at: index)
    for section in sections { nodes[section.name] = section.node }
  }

  mutating func remove(at index: Int) {
    isChanged = true
    let name = list.all[index].name
    list.remove(at: index)
    nodes[name] = nil
  }

  mutating func move(from index: Int, to newIndex: Int) {
    isChanged = true
    list.move(from: index, to: newIndex)
  }

  mutating func rename(at index: Int, to name: [UInt8]) {
    isChanged = true
    let section = list.all[index]
    list.rename(at: index, to: name)
    nodes[section.name] = nil
    nodes[name] = section.node
  }

  /// Replaces all sections, as read from the engine's tree.
  mutating func replace(by sections: [TreeSections.Section]) {
    list = TreeSections(sections)
    nodes = list.nodes
  }

  /// Replaces node ids after renumbering.
  mutating func renumber(_ new: NodeRenumbering) {
    guard let now = list.renumbered(new) else {
      preconditionFailure("a section is no node of the tree")
    }
    list = now
    nodes = now.nodes
    // Sections that the engine has forgotten belong to revisions before its history.
    let known = former.lastIndex { $0.sections.renumbered(new) == nil }.map { $0 + 1 } ?? 0
    former = former[known...].compactMap { former in
      former.sections.renumbered(new).map { sections in
        var renumbered = former
        renumbered.sections = sections
        return renumbered
      }
    }
  }

  // MARK: Transactions

  /// The sections before the running or last transaction.
  var before: TreeSections { savepoint.list }

  /// True if the running or last transaction changed the sections.
  var haveChanged: Bool { savepoint.list != list }

  /// Begins a transaction.
  mutating func begin() {
    savepoint = (list, nodes)
    isChanged = false
  }

  /// Restores the sections from the beginning of the transaction.
  mutating func rollBack() {
    (list, nodes) = savepoint
    isChanged = false
  }

  /// Replaces the sections and their savepoint by those of a copy.
  mutating func install(_ copy: SectionTable) {
    list = copy.list
    nodes = copy.nodes
    madeCount = copy.madeCount
    savepoint = copy.savepoint
    isChanged = copy.isChanged
  }

  /// Takes over the savepoint of an earlier copy.
  mutating func setSavepoint(of other: SectionTable) {
    savepoint = other.savepoint
    isChanged = other.isChanged
  }

  // MARK: The past

  /// Records the former sections if a commit changed them.
  ///
  /// Each record is a copy, so fewer are kept if there are many sections.
  ///
  /// - Returns: The last commit whose changes must be forgotten; nil for none.
  mutating func log(_ commit: Int, keeping limits: HistoryLimits) -> Int? {
    guard haveChanged else { return nil }
    former.append(
      FormerSections(
        commit: commit,
        sections: savepoint.list,
        ownNameBytes: savepoint.list.nameBytes(missingIn: list)
      )
    )
    var forgotten: Int?
    var weight = former.reduce(0) { $0 + $1.weight }
    while let first = former.first, weight > limits.totalRows || former.count > limits.commits {
      weight -= first.weight
      forgotten = first.commit
      former.removeFirst()
    }
    return forgotten
  }

  /// Restores a list of former sections from an image.
  mutating func restore(_ list: FormerSections) { former.append(list) }

  /// Returns the sections after a commit.
  ///
  /// - Precondition: The session's history contains the commit.
  func list(after commit: Int) -> TreeSections {
    former.first { $0.commit > commit }?.sections ?? list
  }
}
