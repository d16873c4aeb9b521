import Synchronization
import TreeDomain
import TreeEngine

/// Creation and deletion requests with an idempotency key, which are applied once.
struct CreationRetries {
  let core: StoreCore

  /// Creates something, unless the same request did so before.
  ///
  /// Returns the new result, or that of the earlier request.
  ///
  /// - Throws: The error of `make`, or that of the earlier request; `idempotency-key-reused`; or
  ///   `overloaded` while the first request with the key is running.
  func once(
    _ key: IdempotencyKey?,
    _ make: () throws(ServiceError) -> Created<Creation>
  ) throws(ServiceError) -> Created<Creation> {
    guard let key else { return try make() }
    let now = core.clock()
    let known = try core.table.withLock { table throws(ServiceError) -> Created<Creation>? in
      defer { table.countReplays(in: core.usage.memory) }
      if var known = try table.replays.answer(for: key, at: now, core.limits) {
        known.wasReplayed = true
        return known
      }
      guard table.pendingTokens[key.token] == nil else { throw .stillAtIt }
      table.pendingTokens[key.token] = now
      return nil
    }
    if let known { return known }
    do throws(ServiceError) {
      let made = try make()
      core.table.withLock { table in
        table.pendingTokens[key.token] = nil
        let weight = made.description.weight
        table.replays.keep(.success(made), of: weight, for: key, at: now, core.limits)
        table.countReplays(in: core.usage.memory)
      }
      forget(key, ifLost: made.durability)
      return made
    } catch {
      throw keep(error, for: key, at: now)
    }
  }

  /// Ends something, unless the same request did so before.
  ///
  /// - Parameters:
  ///   - key: The idempotency key of the request.
  ///   - end: Ends it, and writes the changes that `kept` returns. Returns the durability of the
  ///     answer.
  /// - Returns: The new answer, or that of the earlier request.
  /// - Throws: The error of `end`, or that of the earlier request; or the other errors of
  ///   ``once(_:_:)``.
  func onceEnding(
    _ key: IdempotencyKey?,
    _ end: (_ kept: () -> [StorageChange]) throws(ServiceError) -> Durability
  ) throws(ServiceError) -> Ending {
    let made = try once(key) { () throws(ServiceError) in
      var ended = Created(Creation.end)
      ended.durability = try end { kept(.success(.end), for: key, at: core.clock()) }
      return ended
    }
    guard made.description == .end else { throw .idempotencyKeyReused }
    return Ending(wasReplayed: made.wasReplayed, durability: made.durability)
  }

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
    creation.forgotten = max(now - core.limits.replaySeconds, oldest ?? 0)
    return [.keepCreation(creation)]
  }

  /// Stores a refusal for retries, if it depends on the content of trees.
  ///
  /// - Returns: The error for the client: the refusal, or the reason why it cannot be stored.
  private func keep(
    _ refusal: ServiceError,
    for key: IdempotencyKey,
    at now: Int
  ) -> ServiceError {
    var refusal = refusal
    if refusal.code.isOfApplying, let archive = core.archive {
      do throws(ServiceError) {
        refusal.durability = try archive.admit(kept(.failure(refusal), for: key, at: now))
      } catch {
        refusal = error
      }
    }
    core.table.withLock { table in
      table.pendingTokens[key.token] = nil
      guard refusal.code.isOfApplying else { return }
      table.replays.keep(.failure(refusal), of: 0, for: key, at: now, core.limits)
      table.countReplays(in: core.usage.memory)
    }
    forget(key, ifLost: refusal.durability)
    return refusal
  }

  private func forget(_ key: IdempotencyKey, ifLost durability: Durability) {
    durability.whenLost { [core] in
      core.table.withLock { table in
        table.replays.forget(key.token)
        table.countReplays(in: core.usage.memory)
      }
    }
  }
}

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

/// The result of a creation request, or of a deletion.
enum Creation: Equatable, Sendable {
  case end
  case session(SessionDescription)
  case tree(TreeDescription)
}
