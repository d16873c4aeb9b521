internal import HTTPServer
internal import TreeDomain
internal import TreeSessions
internal import TreeStorage

extension Configuration {
  /// Reads everything that is stored, and prints counts and findings to the standard error stream.
  ///
  /// - Returns: The exit status: 0 if nothing is wrong, otherwise 1.
  func verifyStorage() -> Int32 {
    do throws(StorageError) {
      if isDatabase { return try verifyDatabase() }
      guard storage != "memory" else { return 0 }
      guard try SQLiteStorage.isThere(in: data) else {
        say("nothing is stored here yet")
        return 0
      }
      let stored = try SQLiteStorage(reading: data)
      let status = tell(try verify(stored), and: try stored.findDamage())
      switch try stored.generationCause() {
      case .restoredBackup: say("\(Self.isOther); the next start begins a generation")
      case .lostChanges: say("\(Self.hasLost); the next start begins a generation")
      case nil: break
      }
      return status
    } catch {
      say(error.reason)
      return 1
    }
  }

  private func verifyDatabase() throws(StorageError) -> Int32 {
    guard let slots = try PostgreSQLCluster.reading(storage) else {
      say("nothing is stored here yet")
      return 0
    }
    var sum = SessionStore.Verification()
    var damage: [String] = []
    for stored in slots {
      let contents = try verify(stored)
      sum.trees += contents.trees
      sum.sessions += contents.sessions
      sum.nodes += contents.nodes
      sum.findings += contents.findings
      damage += try stored.findDamage().map { "slot \(stored.slot): \($0)" }
      damage += try strays(in: stored, of: TreeSlots(count: slots.count))
    }
    return tell(sum, and: damage)
  }

  /// Returns findings about shared trees that are in another slot than their ids lead to.
  private func strays(
    in stored: PostgreSQLStorage,
    of slots: TreeSlots
  ) throws(StorageError) -> [String] {
    try stored.sharedTrees().filter { slots.slot(of: $0.id.bytes) != stored.slot }.map {
      "tree \(String(decoding: $0.id.bytes, as: UTF8.self)) is in the wrong slot \(stored.slot)"
    }
  }

  private func verify(
    _ stored: any TreeStorage
  ) throws(StorageError) -> SessionStore.Verification {
    let store = try SessionStore(
      limits: sessionLimits,
      // One tree at a time is read, however large.
      memory: MemoryAccount(limit: .max / 4),
      storage: stored,
      clock: { SystemClock.bootSeconds },
      wallClock: { SystemClock.wallSeconds }
    )
    return try store.verify()
  }

  /// Prints findings and counts.
  ///
  /// Returns the exit status.
  private func tell(_ contents: SessionStore.Verification, and damage: [String]) -> Int32 {
    let findings = damage + contents.findings
    for finding in findings { say(finding) }
    let counts = [
      Self.count(contents.trees, "tree"), Self.count(contents.sessions, "session"),
      Self.count(contents.nodes, "node"),
    ]
    say(counts.joined(separator: ", "))
    return findings.isEmpty ? 0 : 1
  }

  private static let isOther = "not the database that this folder had last"

  private static let hasLost = "the disk did not take some changes that readers were shown"

  /// Returns a sentence for the operator if a generation began; otherwise nil.
  ///
  /// - Throws: ``StorageError``.
  func generationNotice(
    _ cause: GenerationCause?,
    _ stored: any TreeStorage
  ) throws(StorageError) -> String? {
    let reason: String
    switch cause {
    case .restoredBackup where isDatabase:
      reason = "\(storagePlace) is not what it was: a backup was restored, or a standby promoted"
    case .restoredBackup: reason = "\(storagePlace) is \(Self.isOther): a backup was restored"
    case .lostChanges: reason = "\(storagePlace): before the last stop \(Self.hasLost)"
    case nil: return nil
    }
    let start = try stored.generations().current.number
    return """
      \(reason). All revisions go on at \(start), and clients that hold older ones are told to \
      read everything again
      """
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private func say(_ sentence: String) {
    StandardStream.error.write("\(storagePlace): \(sentence)\n")
  }
}
