import Synchronization
import TreeDomain

/// The requests under way that set how the rows of sessions are chosen and ordered.
final class PatchClaims: Sendable {
  private struct Claim {
    weak var claim: PatchClaim?
    var patch: SessionPatch
  }

  /// Held for a look at the few claims of a session.
  private let claims = Mutex<[SessionID: [Claim]]>([:])

  /// Enters the claim of a request, and supersedes older ones that set nothing else.
  ///
  /// A request that comes again, on another thread, is entered already. One that is refused at
  /// another revision supersedes nothing, as it may be refused.
  ///
  /// - Throws: `superseded` if a newer request has superseded it.
  func enter(
    _ patch: SessionPatch,
    of id: SessionID,
    _ options: BatchOptions
  ) throws(ServiceError) {
    guard let claim = patch.claim, patch.setsRows else { return }
    try claim.check()
    claims.withLock { claims in
      var others = claims[id, default: []].filter { $0.claim != nil }
      if others.contains(where: { $0.claim === claim }) { return }
      for other in others where options.condition == nil && patch.setsRows(of: other.patch) {
        other.claim?.supersede()
      }
      others.removeAll { $0.claim?.isSuperseded != false }
      var kept = patch
      kept.claim = nil
      kept.body = nil
      others.append(Claim(claim: claim, patch: kept))
      claims[id] = others
    }
  }

  /// Removes the claim of a request that is answered.
  func leave(_ patch: SessionPatch, of id: SessionID) {
    guard let claim = patch.claim, patch.setsRows else { return }
    claims.withLock { claims in
      guard let others = claims[id] else { return }
      let rest = others.filter { $0.claim != nil && $0.claim !== claim }
      claims[id] = rest.isEmpty ? nil : rest
    }
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

  func check() throws(ServiceError) {
    try claim.check()
    try control?.check()
    // A newer request may have come while others had their share.
    try claim.check()
  }

  func pause() { control?.pause() }
}
