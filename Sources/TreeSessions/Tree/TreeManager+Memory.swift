import TreeDomain
import TreeEngine

// The memory that the tree and its sessions take.
extension TreeManager {
  /// The amounts that the tree holds now.
  ///
  /// - Complexity: O(level indexes).
  var held: TreeUsage {
    var held = TreeUsage(nodes: nodeCount, trees: 1, engine: tree.memory)
    held.engine.nodes += sections.byteCount + sorted.byteCount
    held.engine.history += formerSectionBytes
    held.engine.transaction += sortKeys.byteCount
    held.replays = replayBytes
    // A copy has some of the sessions only, and the others are not gone.
    held.sessions =
      copying.isCopy ? counted.sessions : sessions.count * OpenSession.bytes + filterBytes.count
    held.asleep = copying.isCopy ? counted.asleep : asleep.byteCount
    return held
  }

  /// Tells the others how much this tree holds.
  mutating func countUsage() { count(held) }

  /// The bytes that were allocated since they were counted last.
  private var uncountedBytes: Int { held.bytes - counted.bytes }

  /// Refuses to take in or to keep bytes with which all trees would hold more than they may.
  ///
  /// - Throws: `overloaded`.
  func checkRoom(bytes: Int) throws(ServiceError) {
    guard isLimited else { return }
    let more = uncountedBytes + bytes
    guard usage.memory.hasRoom(for: more) else { throw .outOfMemory(limits) }
    guard hasRoom(for: more, of: charge?.payer) else { throw .outOfCallerShare(limits) }
  }

  /// Refuses bytes that an operation would add to a session where there is no room for them, or the
  /// session, its tree's or its caller's would have more than their share.
  ///
  /// - Throws: `overloaded`.
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

  /// Returns true if the trees and sessions of a caller may hold so many bytes more.
  private func hasRoom(for bytes: Int, of payer: String?) -> Bool {
    guard let payer else { return true }
    return usage.callers.bytes(of: payer) + bytes <= limits.maxMemoryBytes / MemoryShare.caller
  }

  /// Refuses so many nodes where there is no memory for them, with so many bytes of keys and
  /// objects.
  ///
  /// - Throws: `overloaded`.
  func checkRoom(nodes count: Int, bytes: Int) throws(ServiceError) {
    try checkRoom(bytes: EngineTree.byteCount(ofNodes: count) + bytes)
  }

  /// Refuses bytes that a session would add to the tree where there is no room for them, or the
  /// sessions of this tree would have more than their share.
  ///
  /// Sessions that nobody uses are put to sleep first if that makes the room.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, for which the session may take up to a quarter of all memory.
  ///   - session: The session that asks, which stays awake; `nil` for one that is being made.
  /// - Precondition: No transaction is running.
  /// - Throws: `overloaded`.
  mutating func admit(_ bytes: Int, for session: SessionID?) throws(ServiceError) {
    guard isLimited else { return }
    guard bytes <= limits.maxMemoryBytes / MemoryShare.session else {
      throw .outOfShare(limits, MemoryShare.session, of: "session")
    }
    let payer = session.flatMap { sessions[$0]?.charge?.payer } ?? meter.payer
    if !hasRoom(for: bytes, of: payer) {
      let isOfPayer = { (session: OpenSession) in session.charge?.payer == payer }
      putToSleep(but: session, where: isOfPayer) { $0.hasRoom(for: bytes, of: payer) }
      guard hasRoom(for: bytes, of: payer) else { throw .outOfCallerShare(limits) }
    }
    if hasRoom(forSessions: bytes) { return }
    putToSleep(but: session) { $0.hasRoom(forSessions: bytes) }
    guard usage.memory.hasRoom(for: uncountedBytes + bytes) else { throw .outOfMemory(limits) }
    guard hasRoom(forSessions: bytes) else {
      throw .outOfShare(limits, MemoryShare.sessionsOfTree, of: "sessions of one tree")
    }
  }

  /// Refuses a batch where there is no room for what its operations take, unless it only takes
  /// something away.
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

  /// True if memory is limited: what is replayed was admitted before.
  private var isLimited: Bool { limits.maxMemoryBytes < .max }

  /// Has sessions sleep that were not used in this second, those used last the longest awake, until
  /// there is room.
  private mutating func putToSleep(
    but session: SessionID?,
    where isWanted: (OpenSession) -> Bool = { _ in true },
    until hasRoom: (borrowing TreeManager) -> Bool
  ) {
    for id in idleSessions(before: time) where id != session {
      guard let idle = sessions[id], isWanted(idle) else { continue }
      let asleep = putToSleep([id], unusedSince: time - 1, naming: .max)
      journal?.noteAsleep(asleep.count)
      countUsage()
      if hasRoom(self) { return }
    }
  }

  /// The most bytes that a new session takes.
  func bytes(of new: NewSession) -> Int {
    var nodes = new.expandedKeys.count
    if let state = new.state {
      nodes += state.toggledKeys.count + state.filterToggledKeys.count + state.selectedKeys.count
    }
    return bytes(waking: new.options, naming: nodes)
  }

  /// The most bytes that a session takes when it wakes, and names some nodes.
  func bytes(waking options: SessionOptions, naming nodes: Int) -> Int {
    let own = OpenSession.bytes + (options.filter?.byteCount ?? 0)
    return own + ruleBytes(of: options.expansion) + nodes * EngineTree.bytesPerToggle
      + layerBytes(of: options)
  }

  /// The most bytes that a rule of a session takes, beside what is toggled.
  private func ruleBytes(of rule: ExpansionRule?) -> Int {
    rule.map { tree.ruleBytes(of: engineRule($0)) } ?? 0
  }

  /// The most bytes that a change of the options of a session takes.
  func bytes(of patch: SessionPatch, for session: OpenSession) -> Int {
    var bytes = ruleBytes(of: patch.expansion) + layerBytes(for: patch, of: session)
    if case .set(let filter) = patch.filter { bytes += filter.byteCount }
    return bytes
  }

  /// The most bytes that the layers of a session take with a change of its options; 0 if that
  /// changes neither filter nor order.
  private func layerBytes(for patch: SessionPatch, of session: OpenSession) -> Int {
    var options = session.options
    options.order = patch.order ?? options.order
    switch patch.filter {
    case .set(let filter): options.filter = filter
    case .clear: options.filter = nil
    case nil: break
    }
    let isSame = options.order == session.options.order && options.filter == session.options.filter
    return isSame ? 0 : layerBytes(of: options)
  }

  /// The bytes that the layers of a session would take with these options.
  func layerBytes(of options: SessionOptions) -> Int {
    tree.layerBytes(
      isFiltered: options.filter != nil,
      order: options.order == .breadthFirst ? .breadthFirst : .depthFirst
    )
  }
}

/// The parts of all memory that some may have beside the trees themselves.
enum MemoryShare {
  /// A session has at most a quarter.
  static let session = 4
  /// All sessions of one tree have at most a half.
  static let sessionsOfTree = 2
  /// The trees and sessions that a caller made have at most a half, if there are several callers.
  static let caller = 2
}

extension Batch {
  /// True if all operations only take something away.
  var freesMemory: Bool { operations.allSatisfy(\.freesMemory) }
}

extension Operation {
  /// True if the operation only takes something away.
  fileprivate var freesMemory: Bool {
    switch self {
    case .remove, .removeAll, .removeSection, .deselect, .clearSelection, .collapseAll: true
    default: false
    }
  }
}

extension OpenSession {
  /// About how many bytes a session takes beside its view.
  static let bytes = 640
}

extension ServiceError {
  /// A refusal for want of memory.
  static func outOfMemory(_ limits: SessionLimits) -> ServiceError {
    .overloaded(
      limit: limits.maxMemoryBytes,
      "The service holds as many bytes as it may (`maxMemoryBytes`), or would; delete sessions, "
        + "trees or nodes, leave out the Idempotency-Key, or try again later."
    )
  }

  /// A refusal as what a caller made would have more than its share of memory.
  static func outOfCallerShare(_ limits: SessionLimits) -> ServiceError {
    let limit = limits.maxMemoryBytes / MemoryShare.caller
    return .overloaded(
      limit: limit,
      "The trees and sessions that were made with this API key would hold more than \(limit) bytes,"
        + " the share of one key of `maxMemoryBytes`; delete some of them, or try again later."
    )
  }

  /// A refusal as sessions would have more than their share of memory.
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
