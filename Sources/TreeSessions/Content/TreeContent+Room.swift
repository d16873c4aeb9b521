import TreeDomain
import TreeEngine

// The memory of the tree and its sessions, and the checks of its limits.
extension TreeContent {
  /// The current memory and counts of the content.
  ///
  /// - Complexity: O(level indexes).
  var ownUsage: TreeUsage {
    var held = TreeUsage(nodes: nodeCount, trees: 1, engine: tree.memory)
    held.engine.nodes += Self.treeBytes + sections.byteCount + siblings.byteCount
    held.engine.history += sections.formerBytes + dataCommits.byteCount
    held.engine.transaction += siblings.keyBytes
    return held
  }

  /// The memory of a tree without nodes, with its lock, executors and entries in tables, in bytes.
  private static let treeBytes = 4_600

  /// The memory and counts of the content now, and of the sessions as they were when last counted.
  ///
  /// - Complexity: O(level indexes).
  var held: TreeUsage { account.total(ownUsage) }

  /// Updates the totals of the service.
  mutating func countUsage() { account.count(held) }

  /// Adds a number of bytes, which may be negative, to the memory of answers for retries.
  mutating func countReplays(_ change: Int) {
    guard change != 0 else { return }
    account.addReplays(change)
    countUsage()
  }

  /// Updates the memory that is charged to the session's caller.
  ///
  /// - Complexity: O(1).
  func charge(_ session: OpenSession) {
    session.charge?.set(OpenSession.bytes + tree.viewBytes(of: session.view))
  }

  /// The memory that was allocated since the last count, in bytes.
  var uncountedBytes: Int { held.bytes - account.counted.bytes }

  /// Checks that a number of bytes can be allocated.
  ///
  /// - Throws: `overloaded` if the service or the caller would exceed its limit.
  func checkRoom(bytes: Int) throws(ServiceError) {
    guard isLimited else { return }
    let more = uncountedBytes + bytes
    guard account.usage.memory.hasRoom(for: more) else { throw .outOfMemory(limits) }
    guard hasRoom(for: more, of: account.payer) else { throw .outOfCallerShare(limits) }
  }

  /// Checks that an operation can add a number of bytes to a session.
  ///
  /// - Throws: `overloaded` if the service, the session, the sessions of the tree, or the caller
  ///   would exceed its limit.
  func checkRoom(bytes: Int, of session: OpenSession) throws(ServiceError) {
    guard isLimited else { return }
    guard tree.viewBytes(of: session.view) + bytes <= limits.maxMemoryBytes / MemoryShare.session
    else { throw .outOfShare(limits, MemoryShare.session, of: "session") }
    guard hasRoom(for: bytes, of: session.charge?.payer) else { throw .outOfCallerShare(limits) }
    guard account.usage.memory.hasRoom(for: uncountedBytes + bytes) else {
      throw .outOfMemory(limits)
    }
    guard hasRoom(forSessions: bytes) else {
      throw .outOfShare(limits, MemoryShare.sessionsOfTree, of: "sessions of one tree")
    }
  }

  /// Returns true if the trees and sessions of a caller may take a number of further bytes.
  func hasRoom(for bytes: Int, of payer: String?) -> Bool {
    guard let payer else { return true }
    return account.usage.callers.bytes(of: payer) + bytes <= limits.maxMemoryBytes
      / MemoryShare.caller
  }

  /// Checks that a number of nodes, with a number of bytes of keys and objects, can be added.
  ///
  /// - Throws: `overloaded`.
  func checkRoom(nodes count: Int, bytes: Int) throws(ServiceError) {
    try checkRoom(bytes: EngineTree.byteCount(ofNodes: count) + bytes)
  }

  /// Returns true if the sessions of the tree may take a number of further bytes.
  func hasRoom(forSessions bytes: Int) -> Bool {
    let held = held
    let share = limits.maxMemoryBytes / MemoryShare.sessionsOfTree
    return held.addedBySessions + bytes <= share
      && account.usage.memory.hasRoom(for: held.bytes - account.counted.bytes + bytes)
  }

  /// True if memory is limited.
  ///
  /// Memory is unlimited while entries are replayed, because their content was admitted before.
  var isLimited: Bool { limits.maxMemoryBytes < .max }

  /// Checks that the tree may have further rules with levels.
  ///
  /// Each rule makes changes slower.
  ///
  /// - Throws: `overloaded`.
  func checkRoom(for rules: ExpansionRule?...) throws(ServiceError) {
    var new: Set<ExpansionRule> = []
    for case let rule? in rules where !tree.isIndexed(rule.inEngine) { new.insert(rule) }
    guard !new.isEmpty, tree.levelRuleCount + new.count > limits.maxExpansionRulesPerTree else {
      return
    }
    throw .overloaded(
      limit: limits.maxExpansionRulesPerTree,
      "The tree's sessions are expanded by as many different numbers of levels as they may; use"
        + " one of those, or expand nodes one by one."
    )
  }

  /// Returns an estimate of the memory of a new session in bytes, without the ancestors of expanded
  /// nodes.
  func bytes(of new: NewSession) -> Int {
    var nodes = new.expandedKeys.count
    if let state = new.state {
      nodes += state.toggledKeys.count + state.filterToggledKeys.count + state.selectedKeys.count
    }
    return bytes(waking: new.options, naming: nodes)
  }

  /// Returns an upper bound of the memory of a session that wakes and names some nodes, in bytes.
  func bytes(waking options: SessionOptions, naming nodes: Int) -> Int {
    let own = OpenSession.bytes + options.byteCount
    return own + ruleBytes(of: options.expansion) + nodes * EngineTree.bytesPerToggle
      + layerBytes(of: options)
  }

  /// Returns an upper bound of the memory of an expansion rule without toggles, in bytes.
  private func ruleBytes(of rule: ExpansionRule?) -> Int {
    rule.map { tree.ruleBytes(of: $0.inEngine) } ?? 0
  }

  /// Returns an upper bound of the memory that a change of a session's options takes, in bytes.
  func bytes(of patch: SessionPatch, for session: OpenSession) -> Int {
    var bytes = ruleBytes(of: patch.expansion) + layerBytes(for: patch, of: session)
    if case .set(let filter) = patch.filter { bytes += filter.byteCount }
    bytes += patch.viewSort?.byteCount ?? 0
    return bytes
  }

  /// Returns an upper bound of the memory of a session's layers after a change of its options.
  ///
  /// Returns 0 if neither filter nor an order changes.
  private func layerBytes(for patch: SessionPatch, of session: OpenSession) -> Int {
    var options = session.options
    options.order = patch.order ?? options.order
    options.viewSort = patch.viewSort ?? options.viewSort
    switch patch.filter {
    case .set(let filter): options.filter = filter
    case .clear: options.filter = nil
    case nil: break
    }
    let isSame =
      options.order == session.options.order && options.filter == session.options.filter
      && options.viewSort == session.options.viewSort
    return isSame ? 0 : layerBytes(of: options)
  }

  /// Returns the memory of a session's layers with some options, in bytes.
  func layerBytes(of options: SessionOptions) -> Int {
    let isSorted = !options.viewSort.isEmpty
    let isNew = isSorted && orderings.known(options.viewSort) == nil
    return tree.layerBytes(
      isFiltered: options.filter != nil,
      order: options.order == .breadthFirst ? .breadthFirst : .depthFirst,
      isSorted: isSorted
    ) + (isNew ? tree.orderingBytes : 0)
  }
}

/// The shares of memory, as divisors of `maxMemoryBytes`.
enum MemoryShare {
  /// The divisor for one session: a quarter.
  static let session = 4
  /// The divisor for all sessions of a tree: a half.
  static let sessionsOfTree = 2
  /// The divisor for all trees and sessions of one caller, if there are several callers: a half.
  static let caller = 2
}

extension OpenSession {
  /// The approximate memory of a session without its view, in bytes.
  static let bytes = 640
}
