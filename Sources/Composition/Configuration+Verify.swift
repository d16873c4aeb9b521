internal import HTTPServer
internal import TreeDomain
internal import TreeSessions
internal import TreeStorage

extension Configuration {
  /// Reads all that is stored, and says what is there and what is wrong with it.
  ///
  /// - Returns: The exit status: 1 where something is wrong.
  func verifyStorage() -> Int32 {
    guard storage != "memory" else { return 0 }
    do throws(StorageError) {
      guard try SQLiteStorage.isThere(in: data) else {
        say("nothing is stored here yet")
        return 0
      }
      let stored = try SQLiteStorage(reading: data)
      let store = try SessionStore(
        limits: sessionLimits,
        storage: stored,
        clock: { SystemClock.bootSeconds },
        wallClock: { SystemClock.wallSeconds }
      )
      let contents = try store.verify()
      let findings = try stored.findDamage() + contents.findings
      if try stored.isRestored() { say("\(Self.isOther); the next start begins a generation") }
      for finding in findings { say(finding) }
      let counts = [
        Self.count(contents.trees, "tree"), Self.count(contents.sessions, "session"),
        Self.count(contents.nodes, "node"),
      ]
      say(counts.joined(separator: ", "))
      return findings.isEmpty ? 0 : 1
    } catch {
      say(error.reason)
      return 1
    }
  }

  private static let isOther = "not the database that this folder had last"

  /// Returns what the operator is told where a backup was restored; nil where none was.
  ///
  /// - Throws: ``StorageError``.
  func restoredNotice(_ stored: SQLiteStorage) throws(StorageError) -> String? {
    guard try stored.isRestored() else { return nil }
    let start = try stored.generations().current.number
    return """
      \(data)/\(SQLiteStorage.fileName) is \(Self.isOther): a backup was restored. All revisions \
      go on at \(start), and clients that hold older ones are told to read everything again
      """
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private func say(_ sentence: String) {
    StandardStream.error.write("\(data)/\(SQLiteStorage.fileName): \(sentence)\n")
  }
}
