import TreeDomain
import TreeEngine

// The memory of the tree and its sessions, and the checks of its limits.
extension TreeManager {
  /// The current memory and counts of the tree.
  ///
  /// - Complexity: O(level indexes).
  var held: TreeUsage {
    var held = TreeUsage(nodes: nodeCount, trees: 1, engine: tree.memory)
    held.engine.nodes += sections.byteCount + sort.byteCount + sorted.byteCount
    held.engine.history += formerSectionBytes
    held.engine.transaction += sortKeys.byteCount + (copying.log?.byteCount ?? 0)
    held.replays = replayBytes
    // A copy has only some of the sessions, but the others still exist.
    held.sessions =
      copying.isCopy ? counted.sessions : sessions.count * OpenSession.bytes + optionBytes.count
    held.asleep = copying.isCopy ? counted.asleep : asleep.byteCount
    return held
  }

  /// Updates the totals of the service.
  mutating func countUsage() { count(held) }

  /// The memory that was allocated since the last count, in bytes.
  private var uncountedBytes: Int { held.bytes - counted.bytes }

  /// Checks that a number of bytes can be allocated.
  ///
  /// - Throws: `overloaded` if the service or the caller would exceed its limit.
  func checkRoom(bytes: Int) throws(ServiceError) {
    guard isLimited else { return }
    let more = uncountedBytes + bytes
    guard usage.memory.hasRoom(for: more) else { throw .outOfMemory(limits) }
    guard hasRoom(for: more, of: charge?.payer) else { throw .outOfCallerShare(limits) }
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
    guard usage.memory.hasRoom(for: uncountedBytes + bytes) else { throw .outOfMemory(limits) }
    guard hasRoom(forSessions: bytes) else {
      throw .outOfShare(limits, MemoryShare.sessionsOfTree, of: "sessions of one tree")
    }
  }

  /// Returns true if the trees and sessions of a caller may take a number of further bytes.
  private func hasRoom(for bytes: Int, of payer: String?) -> Bool {
    guard let payer else { return true }
    return usage.callers.bytes(of: payer) + bytes <= limits.maxMemoryBytes / MemoryShare.caller
  }

  /// Checks that a number of nodes, with a number of bytes of keys and objects, can be added.
  ///
  /// - Throws: `overloaded`.
  func checkRoom(nodes count: Int, bytes: Int) throws(ServiceError) {
    try checkRoom(bytes: EngineTree.byteCount(ofNodes: count) + bytes)
  }

  /// Checks that a session can add a number of bytes to the tree.
  ///
  /// Puts idle sessions to sleep if necessary. A copy puts none to sleep, because it has no
  /// followers and its sessions remain in the tree.
  ///
  /// - Parameters:
  ///   - bytes: The number of bytes. A session may take up to a quarter of all memory.
  ///   - session: The session, which stays awake; `nil` for a new one.
  /// - Precondition: No transaction is running.
  /// - Throws: `overloaded` if the service, the session, the sessions of the tree, or the caller
  ///   would exceed its limit; and the errors of ``demand(_:)``.
  mutating func admit(_ bytes: Int, for session: SessionID?) throws(ServiceError) {
    guard isLimited else { return }
    guard bytes <= limits.maxMemoryBytes / MemoryShare.session else {
      throw .outOfShare(limits, MemoryShare.session, of: "session")
    }
    let payer = session.flatMap { sessions[$0]?.charge?.payer } ?? meter.payer
    if !hasRoom(for: bytes, of: payer) {
      try meter.demandTime()
      let isOfPayer = { (session: OpenSession) in session.charge?.payer == payer }
      putToSleep(but: session, where: isOfPayer) { $0.hasRoom(for: bytes, of: payer) }
      guard hasRoom(for: bytes, of: payer) else { throw .outOfCallerShare(limits) }
    }
    if hasRoom(forSessions: bytes) { return }
    try meter.demandTime()
    putToSleep(but: session) { $0.hasRoom(forSessions: bytes) }
    guard usage.memory.hasRoom(for: uncountedBytes + bytes) else { throw .outOfMemory(limits) }
    guard hasRoom(forSessions: bytes) else {
      throw .outOfShare(limits, MemoryShare.sessionsOfTree, of: "sessions of one tree")
    }
  }

  /// Checks that there is memory for the operations of a batch.
  ///
  /// A batch of removals is always allowed.
  ///
  /// - Precondition: No transaction is running.
  /// - Throws: `overloaded`.
  mutating func admit(_ batch: Batch, for session: SessionID?) throws(ServiceError) {
    guard isLimited, !batch.freesMemory else { return }
    try admit(batch.operations.count * EngineTree.bytesPerToggle, for: session)
  }

  private func hasRoom(forSessions bytes: Int) -> Bool {
    let held = held
    let share = limits.maxMemoryBytes / MemoryShare.sessionsOfTree
    return held.addedBySessions + bytes <= share
      && usage.memory.hasRoom(for: held.bytes - counted.bytes + bytes)
  }

  /// True if memory is limited.
  ///
  /// Memory is unlimited while entries are replayed, because their content was admitted before.
  private var isLimited: Bool { limits.maxMemoryBytes < .max }

  /// Puts idle sessions to sleep, least recently used first, until there is room.
  ///
  /// Sessions that were used in the current second stay awake.
  private mutating func putToSleep(
    but session: SessionID?,
    where isWanted: (OpenSession) -> Bool = { _ in true },
    until hasRoom: (borrowing TreeManager) -> Bool
  ) {
    guard !copying.isCopy else { return }
    for id in idleSessions(before: time) where id != session {
      guard let idle = sessions[id], isWanted(idle) else { continue }
      let asleep = putToSleep([id], unusedSince: time - 1, naming: .max)
      journal?.recordAsleep(asleep.count)
      countUsage()
      if hasRoom(self) { return }
    }
  }

  /// Returns an upper bound of the memory of a new session in bytes.
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
    rule.map { tree.ruleBytes(of: engineRule($0)) } ?? 0
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
    let isNew = isSorted && knownOrdering(options.viewSort) == nil
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

extension Batch {
  /// True if all operations only remove something.
  var freesMemory: Bool { operations.allSatisfy(\.freesMemory) }
}

extension Operation {
  /// True if the operation only removes something.
  fileprivate var freesMemory: Bool {
    switch self {
    case .remove, .removeAll, .removeSection, .deselect, .clearSelection, .collapseAll: true
    default: false
    }
  }
}

extension OpenSession {
  /// The approximate memory of a session without its view, in bytes.
  static let bytes = 640
}

extension ServiceError {
  /// The error if the service would exceed its limit of memory.
  static func outOfMemory(_ limits: SessionLimits) -> ServiceError {
    .overloaded(
      limit: limits.maxMemoryBytes,
      "The service holds as many bytes as it may (`maxMemoryBytes`), or would; delete sessions, "
        + "trees or nodes, leave out the Idempotency-Key, or try again later."
    )
  }

  /// The error if the trees and sessions of a caller would exceed their share of memory.
  static func outOfCallerShare(_ limits: SessionLimits) -> ServiceError {
    let limit = limits.maxMemoryBytes / MemoryShare.caller
    return .overloaded(
      limit: limit,
      "The trees and sessions that were made with this API key would hold more than \(limit) bytes,"
        + " the share of one key of `maxMemoryBytes`; delete some of them, or try again later."
    )
  }

  /// The error if one or more sessions would exceed their share of memory.
  static func outOfShare(
    _ limits: SessionLimits,
    _ part: Int,
    of holder: String
  ) -> ServiceError {
    let limit = limits.maxMemoryBytes / part
    return .overloaded(
      limit: limit,
      "The \(holder) would hold more than \(limit) bytes, their share of `maxMemoryBytes`; delete "
        + "sessions, use a narrower view, or try again later."
    )
  }
}
