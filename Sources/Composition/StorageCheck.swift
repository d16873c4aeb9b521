internal import HTTPServer
internal import TreeDomain
internal import TreeSessions
internal import TreeStorage

/// The check of everything that is stored.
struct StorageCheck {
  let configuration: Configuration

  /// Reads everything that is stored, and prints counts and findings to the standard error stream.
  ///
  /// - Returns: The exit status: 0 if nothing is wrong, otherwise 1.
  func run() -> Int32 {
    do throws(StorageError) {
      if configuration.isDatabase { return try verifyDatabase() }
      guard configuration.storage != "memory" else { return 0 }
      guard try SQLiteStorage.isThere(in: configuration.data) else {
        say("nothing is stored here yet")
        return 0
      }
      let stored = try SQLiteStorage(reading: configuration.data)
      let status = tell(try verify(stored), and: try stored.findDamage())
      switch try stored.generationCause() {
      case .restoredBackup: say("\(GenerationNotice.isOther); the next start begins a generation")
      case .lostChanges: say("\(GenerationNotice.hasLost); the next start begins a generation")
      case nil: break
      }
      return status
    } catch {
      say(error.reason)
      return 1
    }
  }

  private func verifyDatabase() throws(StorageError) -> Int32 {
    guard let slots = try PostgreSQLCluster.reading(configuration.storage) else {
      say("nothing is stored here yet")
      return 0
    }
    var sum = StoreVerification()
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
  ) throws(StorageError) -> StoreVerification {
    let store = try SessionStore(
      limits: configuration.sessionLimits,
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
  private func tell(_ contents: StoreVerification, and damage: [String]) -> Int32 {
    let findings = damage + contents.findings
    for finding in findings { say(finding) }
    let counts = [
      Self.count(contents.trees, "tree"), Self.count(contents.sessions, "session"),
      Self.count(contents.nodes, "node"),
    ]
    say(counts.joined(separator: ", "))
    return findings.isEmpty ? 0 : 1
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private func say(_ sentence: String) {
    StandardStream.error.write("\(configuration.storagePlace): \(sentence)\n")
  }
}
