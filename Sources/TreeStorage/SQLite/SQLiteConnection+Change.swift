internal import TreeDomain

// The statements of each change.
extension SQLiteConnection {
  /// Applies a change in the running transaction.
  mutating func make(_ change: StorageChange) throws(StorageError) {
    switch change {
    case .makeTree(let tree): try insert(tree)
    case .describeTree(let number, let about): try describe(number, about)
    case .deleteTree(let number): try delete(number)
    case .retire(let revision): try retire(revision)
    case .append(let entry, let tree): try append(entry, to: tree)
    case .addPart(let bytes, let index, let snapshot): try add(bytes, index, to: snapshot)
    case .finishSnapshot(let snapshot): try finish(snapshot)
    case .makeSession(let session): try write(session, "INSERT")
    case .renewSession(let id, let lastUse, let seconds): try renew(id, lastUse, seconds)
    case .removeSession(let id, true): try expire(id)
    case .removeSession(let id, false):
      try run("DELETE FROM sessions WHERE id = ?", .bytes(id.bytes))
    case .keepCreation(let creation): try keep(creation)
    case .setClock(let reading): try set(reading)
    }
  }

  // MARK: Trees

  private mutating func insert(_ tree: StoredTree) throws(StorageError) {
    try run(
      "INSERT INTO trees (number, id, is_private, about, checksum) VALUES (?, ?, ?, ?, ?)",
      .integer(tree.number.value),
      .bytes(tree.id.bytes),
      .boolean(tree.isPrivate),
      .bytes(tree.about),
      .integer(tree.checksum)
    )
  }

  private mutating func describe(
    _ number: TreeNumber,
    _ about: [UInt8]
  ) throws(StorageError) {
    guard var tree = try treeAlone(number) else { return }
    tree.about = about
    try run(
      "UPDATE trees SET about = ?, checksum = ? WHERE number = ?",
      .bytes(about),
      .integer(tree.checksum),
      .integer(number.value)
    )
  }

  private mutating func delete(_ number: TreeNumber) throws(StorageError) {
    longEntries.abandon(number)
    try run("UPDATE trees SET is_deleted = 1 WHERE number = ?", .integer(number.value))
    let last = RowNumber.entry(RowNumber.lastEntry, of: number)
    try Garbage.entries.discard(RowNumber.entry(0, of: number), last, &self)
    try Garbage.sessions.discard(number.value, number.value, &self)
    try discardSnapshots(of: number, exceptThrough: Int.max)
  }

  private mutating func retire(_ retired: RetiredRevision) throws(StorageError) {
    try run(
      """
      INSERT INTO retired (slot, revision, checksum) VALUES (?, ?, ?) ON CONFLICT (slot) DO UPDATE
      SET revision = excluded.revision, checksum = excluded.checksum
      WHERE excluded.revision > retired.revision
      """,
      .integer(retired.slot),
      .integer(Int(retired.revision.number)),
      .integer(retired.checksum)
    )
  }

  // MARK: Journals and snapshots

  private mutating func add(
    _ bytes: [UInt8],
    _ index: Int,
    to snapshot: StoredSnapshot
  ) throws(StorageError) {
    if index == 0 {
      try run(
        """
        INSERT INTO snapshots (tree, entry, parts, revision, nodes)
        SELECT number, ?, 0, ?, ? FROM trees WHERE number = ? AND is_deleted = 0
        """,
        .integer(snapshot.entry),
        .integer(snapshot.revision),
        .integer(snapshot.nodeCount),
        .integer(snapshot.tree.value)
      )
    }
    // The tree may have been deleted meanwhile.
    guard let id = try newestID(of: snapshot, isWhole: false) else { return }
    try run(
      "INSERT INTO parts (place, checksum, body) VALUES (?, ?, ?)",
      .integer(RowNumber.part(index, of: id)),
      .integer(snapshot.checksum(ofPart: index, bytes)),
      .bytes(bytes)
    )
  }

  private mutating func finish(_ snapshot: StoredSnapshot) throws(StorageError) {
    // The tree may have been deleted meanwhile.
    guard let id = try newestID(of: snapshot, isWhole: false) else { return }
    try run(
      "UPDATE snapshots SET is_whole = 1, parts = ?, checksum = ? WHERE id = ?",
      .integer(snapshot.parts),
      .integer(snapshot.checksum),
      .integer(id)
    )
    let last = RowNumber.entry(snapshot.entry, of: snapshot.tree)
    try Garbage.entries.discard(RowNumber.entry(0, of: snapshot.tree), last, &self)
    try discardSnapshots(of: snapshot.tree, exceptThrough: id)
  }

  /// Returns the id of the newest snapshot of a tree that contains the changes up to an entry.
  mutating func newestID(
    of snapshot: StoredSnapshot,
    isWhole: Bool
  ) throws(StorageError) -> Int? {
    try rows(
      """
      SELECT id FROM snapshots WHERE tree = ? AND entry = ? AND is_whole = ?
      ORDER BY id DESC LIMIT 1
      """,
      .integer(snapshot.tree.value),
      .integer(snapshot.entry),
      .boolean(isWhole)
    ) { $0.integer(0) }.first
  }

  /// Deletes the snapshots of a tree, except the one with id `kept`, and records their parts as
  /// unused.
  private mutating func discardSnapshots(
    of tree: TreeNumber,
    exceptThrough kept: Int
  ) throws(StorageError) {
    let ids = try rows(
      "SELECT id FROM snapshots WHERE tree = ? AND id <> ?",
      .integer(tree.value),
      .integer(kept)
    ) { $0.integer(0) }
    for id in ids {
      try run("DELETE FROM snapshots WHERE id = ?", .integer(id))
      let last = RowNumber.part(RowNumber.lastPart, of: id)
      try Garbage.parts.discard(RowNumber.part(0, of: id), last, &self)
    }
  }

  // MARK: Sessions and creations

  private mutating func renew(
    _ id: SessionID,
    _ lastUse: Int,
    _ idleTimeoutSeconds: Int?
  ) throws(StorageError) {
    guard var known = try session(id) else { return }
    known.lastUse = lastUse
    if let idleTimeoutSeconds { known.idleTimeoutSeconds = idleTimeoutSeconds }
    try write(known, "REPLACE")
  }

  private mutating func expire(_ id: SessionID) throws(StorageError) {
    guard var known = try session(id) else { return }
    known.isExpired = true
    try write(known, "REPLACE")
    try run(
      "DELETE FROM sessions WHERE is_expired AND last_use + idle_timeout < ?",
      .integer(known.end - StoredSession.rememberedSeconds)
    )
  }

  private mutating func write(
    _ session: StoredSession,
    _ verb: String
  ) throws(StorageError) {
    try run(
      """
      \(verb) INTO sessions
      (id, tree, is_private, idle_timeout, last_use, is_expired, checksum, digest, is_view)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .bytes(session.id.bytes),
      .integer(session.tree.value),
      .boolean(session.isPrivate),
      .integer(session.idleTimeoutSeconds),
      .integer(session.lastUse),
      .boolean(session.isExpired),
      .integer(session.checksum),
      session.digest.map { .bytes($0.bytes) } ?? .null,
      .boolean(session.access == .view)
    )
  }

  private mutating func keep(_ creation: StoredCreation) throws(StorageError) {
    try run("DELETE FROM creations WHERE time < ?", .integer(creation.forgotten))
    try run(
      """
      INSERT OR REPLACE INTO creations (token, time, checksum, body, number)
        VALUES (?, ?, ?, ?, (SELECT ifnull(max(number), 0) + 1 FROM creations))
      """,
      .bytes(creation.token),
      .integer(creation.time),
      .integer(creation.checksum),
      .bytes(creation.body)
    )
  }

  private mutating func set(_ reading: ClockReading) throws(StorageError) {
    try run(
      "REPLACE INTO clock (id, seconds, wall_seconds, checksum) VALUES (1, ?, ?, ?)",
      .integer(reading.seconds),
      .integer(reading.wallSeconds),
      .integer(reading.checksum)
    )
  }
}
