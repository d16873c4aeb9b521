import Synchronization
import TreeDomain
import TreeEngine

// What was made or refused for requests with an idempotency key, so that they are answered alike
// after a restart.
extension Creation {
  /// About how many bytes it takes in memory.
  var weight: Int {
    switch self {
    case .end: 512
    case .session(let description): 512 + 16 * description.sections.count + description.arena.count
    case .tree(let description): 512 + 16 * description.sections.count + description.arena.count
    }
  }
}

extension SessionStore {
  /// What is to be stored of an answer to a request for something to be made.
  ///
  /// - Parameters:
  ///   - answer: What was made, or why it was not.
  ///   - key: What the request named; nothing is stored without.
  ///   - now: The time.
  /// - Returns: The change of storage, which is to know no older ones than are in memory.
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
  /// Takes over what was made and refused before a restart.
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
