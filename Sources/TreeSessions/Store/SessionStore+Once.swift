import Synchronization
import TreeDomain

// What is made once, however often it is asked for with the same idempotency key.
extension SessionStore {
  /// Makes something once, however often it is asked for with the same idempotency key; gives what
  /// was made, now or then.
  func once(
    _ key: IdempotencyKey?,
    _ make: () throws(ServiceError) -> Created<Creation>
  ) throws(ServiceError) -> Created<Creation> {
    guard let key else { return try make() }
    let now = core.clock()
    let known = try core.table.withLock { table throws(ServiceError) -> Created<Creation>? in
      if var known = try table.replays.answer(for: key, at: now, limits) {
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
        table.replays.keep(.success(made), of: weight, for: key, at: now, limits)
      }
      forget(key, ifLost: made.durability)
      return made
    } catch {
      throw keep(error, for: key, at: now)
    }
  }

  /// Ends something once, however often it is asked for with the same idempotency key.
  ///
  /// - Parameters:
  ///   - key: What the request named.
  ///   - end: Ends it; is given what is to be stored with that for a retry, and gives what the
  ///     answer waits for.
  /// - Returns: The answer, now or then.
  /// - Throws: What `end` does, now or then; `idempotency-key-reused`.
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

  /// Keeps for a retry that nothing was made, where that tells of the trees.
  ///
  /// - Returns: What the client is told: the refusal, once that is kept, or why it cannot be.
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
      table.replays.keep(.failure(refusal), of: 0, for: key, at: now, limits)
    }
    forget(key, ifLost: refusal.durability)
    return refusal
  }

  private func forget(_ key: IdempotencyKey, ifLost durability: Durability) {
    durability.whenLost { [core] in core.table.withLock { $0.replays.forget(key.token) } }
  }
}

extension ServiceError {
  /// The first of two requests with one idempotency key is not answered yet.
  fileprivate static var stillAtIt: ServiceError {
    ServiceError(
      .overloaded,
      "The first request with this Idempotency-Key is still being worked on; try again soon."
    )
  }
}
