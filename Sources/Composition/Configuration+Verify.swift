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
      let status = try verify(stored) { () throws(StorageError) in try stored.findDamage() }
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
    guard try PostgreSQLStorage.isThere(in: storage) else {
      say("nothing is stored here yet")
      return 0
    }
    let stored = try PostgreSQLStorage(reading: storage)
    return try verify(stored) { () throws(StorageError) in try stored.findDamage() }
  }

  private func verify(
    _ stored: any TreeStorage,
    findDamage: () throws(StorageError) -> [String]
  ) throws(StorageError) -> Int32 {
    let store = try SessionStore(
      limits: sessionLimits,
      // One tree at a time is read, however large.
      memory: MemoryAccount(limit: .max / 4),
      storage: stored,
      clock: { SystemClock.bootSeconds },
      wallClock: { SystemClock.wallSeconds }
    )
    let contents = try store.verify()
    let findings = try findDamage() + contents.findings
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
