internal import TreeDomain

// Sessions, creations and the clock.
extension PostgreSQLChanges {
  /// Adds a session, which must not exist.
  mutating func write(_ session: StoredSession) {
    add(
      """
      INSERT INTO sessions
      (id, tree_no, is_private, idle_timeout, last_use, is_expired, checksum, digest, is_view)
      VALUES ($1::bytea, $2::bigint, $3::boolean, $4::bigint, $5::bigint, $6::boolean, $7::bigint,
      $8::bytea, $9::boolean)
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

  /// Writes the members of a session that may change.
  mutating func update(_ session: StoredSession) {
    sessions[session.id] = session
    add(
      """
      UPDATE sessions SET idle_timeout = $2::bigint, last_use = $3::bigint,
      is_expired = $4::boolean, checksum = $5::bigint WHERE id = $1::bytea
      """,
      .bytes(session.id.bytes),
      .integer(session.idleTimeoutSeconds),
      .integer(session.lastUse),
      .boolean(session.isExpired),
      .integer(session.checksum)
    )
  }

  /// Stores that a session expired, and removes the ids of those that expired long before.
  mutating func expire(_ id: SessionID) {
    guard var session = sessions[id] else { return }
    session.isExpired = true
    update(session)
    let time = session.end - StoredSession.rememberedSeconds
    sessions = sessions.filter { !$0.value.isExpired || $0.value.end >= time }
    add(
      "DELETE FROM sessions WHERE is_expired AND last_use + idle_timeout < $1::bigint",
      .integer(time)
    )
  }

  /// Stores the result of a creation, and removes old results if there may be any.
  mutating func keep(_ creation: StoredCreation) {
    if creation.forgotten > min(forgotten, earliest) {
      add("DELETE FROM creations WHERE time < $1::bigint", .integer(creation.forgotten))
      forgotten = max(forgotten, creation.forgotten)
      earliest = .max
    }
    earliest = min(earliest, creation.time)
    add(
      """
      INSERT INTO creations (token, time, checksum, body)
      VALUES ($1::bytea, $2::bigint, $3::bigint, $4::bytea) ON CONFLICT (token) DO UPDATE
      SET time = excluded.time, checksum = excluded.checksum, body = excluded.body, number = DEFAULT
      """,
      .bytes(creation.token),
      .integer(creation.time),
      .integer(creation.checksum),
      .bytes(creation.body)
    )
  }

  /// Stores the reading of the clocks.
  mutating func set(_ reading: ClockReading) {
    add(
      """
      INSERT INTO clock (id, seconds, wall_seconds, checksum)
      VALUES (1, $1::bigint, $2::bigint, $3::bigint) ON CONFLICT (id) DO UPDATE
      SET seconds = excluded.seconds, wall_seconds = excluded.wall_seconds,
      checksum = excluded.checksum
      """,
      .integer(reading.seconds),
      .integer(reading.wallSeconds),
      .integer(reading.checksum)
    )
  }
}
