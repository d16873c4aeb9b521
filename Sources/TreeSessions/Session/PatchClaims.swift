import Synchronization
import TreeDomain

/// The running requests that set the filter or an order of sessions.
final class PatchClaims: Sendable {
  private struct Claim {
    weak var claim: PatchClaim?
    var patch: SessionPatch
  }

  private struct Claims {
    var bySession: [SessionID: [Claim]] = [:]
    /// The idempotency keys of earlier requests, by hash.
    var keys = RecentIDs<Int>(atLeast: PatchClaims.maxKeys)
  }

  /// The number of idempotency keys that are remembered to recognize copies of requests.
  private static let maxKeys = 256

  /// The lock is held briefly, because a session has few claims.
  private let claims = Mutex(Claims())

  /// Registers the claim of a request, and supersedes older claims if it sets all that they set.
  ///
  /// A request that continues on another thread is registered already. Three kinds of requests do
  /// not supersede an older one:
  /// - a conditional request, because it may be refused;
  /// - a copy of an earlier request, which a broken connection may deliver late;
  /// - a request that sets the same as the older one, because it may be a copy without an
  ///   idempotency key.
  ///
  /// - Throws: `superseded` if a newer request has superseded this one.
  func enter(
    _ patch: SessionPatch,
    of id: SessionID,
    _ options: BatchOptions
  ) throws(ServiceError) {
    guard let claim = patch.claim, patch.setsRows else { return }
    try claim.check()
    claims.withLock { claims in
      var others = claims.bySession[id, default: []].filter { $0.claim != nil }
      if others.contains(where: { $0.claim === claim }) { return }
      var kept = patch
      kept.claim = nil
      kept.body = nil
      let isNew = options.idempotency.map { claims.keys.insert($0.hashValue(with: id)) } ?? true
      if isNew, options.condition == nil {
        for other in others where patch.setsRows(of: other.patch) && kept != other.patch {
          other.claim?.supersede()
        }
      }
      others.removeAll { $0.claim?.isSuperseded != false }
      others.append(Claim(claim: claim, patch: kept))
      claims.bySession[id] = others
    }
  }

  /// Removes the claim of a request that was answered.
  func leave(_ patch: SessionPatch, of id: SessionID) {
    guard let claim = patch.claim, patch.setsRows else { return }
    claims.withLock { claims in
      guard let others = claims.bySession[id] else { return }
      let rest = others.filter { $0.claim != nil && $0.claim !== claim }
      claims.bySession[id] = rest.isEmpty ? nil : rest
    }
  }
}

extension IdempotencyKey {
  /// Returns a hash of the key for a session.
  fileprivate func hashValue(with id: SessionID) -> Int {
    var hasher = Hasher()
    hasher.combine(id)
    hasher.combine(self)
    return hasher.finalize()
  }
}

/// Stops the work of a request when a newer request supersedes it.
final class ClaimedControl: WorkControl {
  private let control: (any WorkControl)?
  private let claim: PatchClaim

  init(_ control: (any WorkControl)?, _ claim: PatchClaim) {
    self.control = control
    self.claim = claim
  }

  var payer: String? { control?.payer }

  func check() throws(ServiceError) {
    try claim.check()
    try control?.check()
    // A newer request may have arrived during the pause.
    try claim.check()
  }

  func pause() { control?.pause() }
}
