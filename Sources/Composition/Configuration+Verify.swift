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

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private func say(_ sentence: String) {
    StandardStream.error.write("\(data)/\(SQLiteStorage.fileName): \(sentence)\n")
  }
}
