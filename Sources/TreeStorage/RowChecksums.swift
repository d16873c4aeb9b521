internal import TreeDomain

// The checksums of rows, over the columns that a change sets.
extension StoredTree {
  /// The checksum over the properties that entries do not change.
  var checksum: Int {
    Checksum([number.value, isPrivate ? 1 : 0]).adding(id.bytes).adding(about).value
  }
}

extension RetiredRevision {
  var checksum: Int { Checksum([slot, Int(truncatingIfNeeded: revision.number)]).value }
}

extension ClockReading {
  var checksum: Int { Checksum([seconds, wallSeconds]).value }
}

extension StoredEntry {
  /// Returns the checksum over the numbers alone.
  func head(in tree: TreeNumber) -> Checksum {
    Checksum([tree.value, number, revision, nodeCount])
  }

  func checksum(in tree: TreeNumber) -> Int { head(in: tree).adding(body).value }
}

extension StoredSnapshot {
  var checksum: Int { Checksum([tree.value, entry, parts, revision, nodeCount]).value }

  func checksum(ofPart index: Int, _ bytes: [UInt8]) -> Int {
    Checksum([tree.value, entry, revision, nodeCount, index]).adding(bytes).value
  }
}

extension StoredSession {
  var checksum: Int {
    Checksum([tree.value, isPrivate ? 1 : 0, idleTimeoutSeconds, lastUse, isExpired ? 1 : 0])
      .adding(id.bytes).adding(digest?.bytes ?? []).adding(access == .view ? [1] : []).value
  }
}

extension StoredCreation {
  var checksum: Int { Checksum([time]).adding(token).adding(body).value }
}
