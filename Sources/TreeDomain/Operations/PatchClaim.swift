import Synchronization

/// A request's claim to set the filter, order or sort of a session.
///
/// A newer request may supersede it until its options take effect.
package final class PatchClaim: Sendable {
  private let hasEnded = Atomic(false)

  /// Makes a claim.
  package init() {}

  /// True if a newer request superseded it.
  package var isSuperseded: Bool { hasEnded.load(ordering: .relaxed) }

  /// Supersedes the claim, so that its request stops at its next check.
  package func supersede() { hasEnded.store(true, ordering: .relaxed) }

  /// Checks that the claim was not superseded.
  ///
  /// - Throws: `superseded`.
  package func check() throws(ServiceError) {
    guard isSuperseded else { return }
    throw ServiceError(
      .superseded,
      "A newer request sets the same options of this session; only that one takes effect."
    )
  }
}

extension PatchClaim: Equatable {
  /// Returns true if both are the same claim.
  package static func == (left: PatchClaim, right: PatchClaim) -> Bool { left === right }
}
