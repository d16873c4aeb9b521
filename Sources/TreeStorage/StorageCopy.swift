package import TreeDomain

/// A copy of all stored data from one storage engine to another, for an operator who changes
/// engines.
///
/// The copy has all entries, sessions and idempotency keys, and continues at the same revisions. No
/// process may write to the original during or after the copy. Both may consist of slots
/// (``TreeSlots``).
package struct StorageCopy {
  /// The results of copying.
  package struct Counts: Sendable {
    /// The number of trees.
    package fileprivate(set) var trees = 0
    /// The number of sessions, expired ones included.
    package fileprivate(set) var sessions = 0
    /// The slots of the sessions that are not in the slot of their id.
    package fileprivate(set) var moved: [SessionID: Int] = [:]
  }

  /// A tree of the target.
  private struct Place {
    let slot: Int
    let number: TreeNumber
  }

  /// The changes that wait to be written to a slot of the target.
  private struct Waiting {
    var changes: [StorageChange] = []
    var bytes = 0
    /// The highest number of a tree so far.
    var lastTree = TreeNumber(0)
  }

  private var counts = Counts()
  private let sources: [any TreeStorage]
  private let targets: [any TreeStorage]
  private let slots: TreeSlots
  private var waiting: [Waiting]
  /// The places of the trees of the present source, by their numbers there.
  private var places: [TreeNumber: Place] = [:]

  /// The size of a commit, in bytes and changes.
  private static let maxBytes = 8 << 20
  private static let maxChanges = 2_000

  /// Copies all of a single storage to another one.
  ///
  /// - Returns: The numbers of things that were copied.
  /// - Throws: ``StorageError``, as the function for several slots.
  package static func make(
    from source: any TreeStorage,
    to target: any TreeStorage
  ) throws(StorageError) -> Counts {
    try make(from: [source], to: [target])
  }

  /// Copies all of the slots of a storage to the slots of another one.
  ///
  /// - Parameters:
  ///   - sources: The slots that are read; a storage without slots is a single one.
  ///   - targets: The slots that are written to.
  /// - Returns: The numbers of things that were copied, and the sessions that have to be found by
  ///   other means than their ids.
  /// - Throws: ``StorageError/refused(_:)`` if the target is not empty. After another error the
  ///   target is not complete, and of no use.
  package static func make(
    from sources: [any TreeStorage],
    to targets: [any TreeStorage]
  ) throws(StorageError) -> Counts {
    for target in targets {
      let hasTrees = try target.nextTreeNumber() != TreeNumber(1)
      let creations = try target.creations()
      guard !hasTrees, creations.isEmpty else {
        throw .refused("something is stored there already")
      }
    }
    var copy = StorageCopy(sources, targets)
    try copy.run()
    return copy.counts
  }

  private init(_ sources: [any TreeStorage], _ targets: [any TreeStorage]) {
    self.sources = sources
    self.targets = targets
    slots = TreeSlots(count: targets.count)
    waiting = Array(repeating: Waiting(), count: targets.count)
  }

  private mutating func run() throws(StorageError) {
    for source in sources {
      places = [:]
      try copyTrees(source)
      try copySessions(source)
    }
    try copyRest()
    for slot in targets.indices { try flush(slot) }
    // Revisions of a generation may have been shown that no entry has yet.
    var current = Revision(0)
    for source in sources { current = max(current, try source.generations().current) }
    guard current.number > 0 else { return }
    for target in targets {
      target.recordLoss(entry: 0, revision: Int(current.number))
      // It is stored with a commit at the latest.
      try target.probe()
    }
  }

  private mutating func copyTrees(_ source: any TreeStorage) throws(StorageError) {
    var last = TreeNumber(0)
    while true {
      let numbers = try source.trees(after: last, limit: 1_000)
      guard let newest = numbers.last else { break }
      last = newest
      for number in numbers {
        if let tree = try source.tree(number) { try copy(tree, source) }
      }
    }
    // No number may come twice, not that of a tree that was deleted either.
    let next = try source.nextTreeNumber()
    guard sources.count == 1, next.value > last.next.value else { return }
    var random = SystemRandomNumberGenerator()
    let lastOne = TreeNumber(next.value - 1)
    let id = TreeID(using: &random)
    let tree = StoredTree(number: lastOne, id: id, isPrivate: true, about: [])
    for slot in targets.indices {
      try add(.makeTree(tree), to: slot)
      try add(.deleteTree(lastOne), to: slot)
    }
  }

  /// Assigns a place to a tree.
  ///
  /// Its number stays the same if there is only one source.
  private mutating func place(of tree: StoredTree) -> Place {
    let slot = slots.slot(of: tree.id.bytes)
    let number = sources.count == 1 ? tree.number : waiting[slot].lastTree.next
    waiting[slot].lastTree = number
    let place = Place(slot: slot, number: number)
    places[tree.number] = place
    return place
  }

  private mutating func copy(
    _ tree: StoredTree,
    _ source: any TreeStorage
  ) throws(StorageError) {
    counts.trees += 1
    let place = place(of: tree)
    var made = tree
    made.number = place.number
    try add(.makeTree(made), bytes: tree.about.count, to: place.slot)
    var last = 0
    if let snapshot = try source.snapshot(of: tree.number) {
      var copied = snapshot
      copied.tree = place.number
      for index in 0..<snapshot.parts {
        var begun = copied
        begun.parts = index
        let bytes = try source.part(index, of: snapshot)
        let change = StorageChange.addPart(bytes, index: index, of: begun)
        try add(change, bytes: bytes.count, to: place.slot)
      }
      try add(.finishSnapshot(copied), to: place.slot)
      last = snapshot.entry
    }
    while true {
      let entries = try source.entries(of: tree.number, after: last, bytes: Self.maxBytes)
      guard let newest = entries.last else { return }
      last = newest.number
      for entry in entries {
        try add(.append(entry, to: place.number), bytes: entry.body.count, to: place.slot)
      }
    }
  }

  private mutating func copySessions(_ source: any TreeStorage) throws(StorageError) {
    var last: SessionID?
    while true {
      let found = try source.allSessions(after: last, limit: 1_000)
      guard let newest = found.last else { return }
      last = newest.id
      counts.sessions += found.count
      for session in found { try copy(session) }
    }
  }

  /// Copies a session to the slot of its tree.
  ///
  /// An expired session, whose tree is gone, goes where its id leads.
  private mutating func copy(_ session: StoredSession) throws(StorageError) {
    let slot = slots.slot(of: session.id.bytes)
    var copied = session
    guard let place = places[session.tree] else {
      if sources.count > 1 { copied.tree = TreeNumber(0) }
      return try add(.makeSession(copied), bytes: 100, to: slot)
    }
    copied.tree = place.number
    if place.slot != slot { counts.moved[session.id] = place.slot }
    try add(.makeSession(copied), bytes: 100, to: place.slot)
  }

  /// Copies the answers for retries, which may come to any slot, and the rest.
  private mutating func copyRest() throws(StorageError) {
    var creations: [StoredCreation] = []
    var latest: ClockReading?
    for source in sources {
      creations += try source.creations()
      guard let reading = try source.clockReading() else { continue }
      if reading.seconds > latest?.seconds ?? .min { latest = reading }
    }
    if sources.count > 1 { creations.sort { $0.time < $1.time } }
    for slot in targets.indices {
      for creation in creations {
        try add(.keepCreation(creation), bytes: creation.body.count, to: slot)
      }
      for source in sources {
        for retired in try source.retiredRevisions() { try add(.retire(retired), to: slot) }
      }
      if let latest { try add(.setClock(latest), to: slot) }
    }
  }

  private mutating func add(
    _ change: StorageChange,
    bytes: Int = 0,
    to slot: Int
  ) throws(StorageError) {
    waiting[slot].changes.append(change)
    waiting[slot].bytes += bytes
    let isFull = waiting[slot].changes.count >= Self.maxChanges
    if isFull || waiting[slot].bytes >= Self.maxBytes { try flush(slot) }
  }

  private mutating func flush(_ slot: Int) throws(StorageError) {
    guard !waiting[slot].changes.isEmpty else { return }
    try targets[slot].commit(waiting[slot].changes)
    (waiting[slot].changes, waiting[slot].bytes) = ([], 0)
    targets[slot].tidy()
  }
}
