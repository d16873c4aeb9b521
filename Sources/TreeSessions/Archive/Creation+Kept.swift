import Synchronization
import TreeDomain
import TreeEngine

// Results of creation requests with an idempotency key, which retries get even after a restart.
extension Creation {
  /// The approximate size in memory, in bytes.
  var weight: Int {
    switch self {
    case .end: 512
    case .session(let description):
      512 + 16 * description.sections.count + description.arena.count
        + description.options.byteCount
    case .tree(let description):
      512 + 16 * description.sections.count + description.arena.count + description.sort.byteCount
    }
  }
}

extension SessionStore {
  /// Returns the change that stores the result of a creation request.
  ///
  /// - Parameters:
  ///   - answer: The result.
  ///   - key: The idempotency key. Without one, nothing is stored.
  ///   - now: The time in seconds.
  /// - Returns: The change. It also removes stored results that are no longer in memory.
  func kept(
    _ answer: Result<Creation, ServiceError>,
    for key: IdempotencyKey?,
    at now: Int
  ) -> [StorageChange] {
    guard let key else { return [] }
    var writer = ByteWriter()
    writer.append(fixed: key.fingerprint)
    answer.write(to: &writer)
    var creation = StoredCreation(token: key.token, time: now, body: writer.bytes)
    let oldest = core.table.withLock { $0.oldestAnswer }
    creation.forgotten = max(now - limits.replaySeconds, oldest ?? 0)
    return [.keepCreation(creation)]
  }
}

extension SessionTable {
  /// Restores the results of creation requests after a restart.
  ///
  /// - Throws: ``StorageError/damaged(_:)``.
  mutating func restore(
    _ creations: [StoredCreation],
    _ limits: SessionLimits
  ) throws(StorageError) {
    for stored in creations {
      do throws(ImageError) {
        var reader = ByteReader(stored.body[...])
        let key = IdempotencyKey(token: stored.token, fingerprint: try reader.fixed())
        let answer = try Result<Creation, ServiceError>(reading: &reader)
        let weight = if case .success(let creation) = answer { creation.weight } else { 0 }
        replays.keep(answer.map { Created($0) }, of: weight, for: key, at: stored.time, limits)
      } catch {
        throw .damaged("what was answered to a request with an idempotency key cannot be read")
      }
    }
  }
}
