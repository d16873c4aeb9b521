import TreeDomain
import TreeEngine

// What was made for requests with an idempotency key, so that they are answered alike after a
// restart.
extension Creation {
  /// About how many bytes it takes in memory.
  var weight: Int {
    switch self {
    case .session(let description): 512 + 16 * description.sections.count + description.arena.count
    case .tree(let description): 512 + 16 * description.sections.count + description.arena.count
    }
  }

  /// What is to be stored of it.
  ///
  /// - Parameters:
  ///   - key: What the request named; nothing is stored without.
  ///   - now: The time.
  ///   - limits: How long it is kept.
  /// - Returns: The change of storage.
  func kept(
    for key: IdempotencyKey?,
    at now: Int,
    _ limits: SessionLimits
  ) -> [StorageChange] {
    guard let key else { return [] }
    var writer = ByteWriter()
    writer.append(fixed: key.fingerprint)
    write(to: &writer)
    var creation = StoredCreation(token: key.token, time: now, body: writer.bytes)
    creation.forgotten = now - limits.replaySeconds
    return [.keepCreation(creation)]
  }
}

extension SessionTable {
  /// Takes over what was made before a restart.
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
        let creation = try Creation(reading: &reader)
        let made = Created(creation)
        replays.keep(.success(made), of: creation.weight, for: key, at: stored.time, limits)
      } catch {
        throw .damaged("what was made for a request with an idempotency key cannot be read")
      }
    }
  }
}
