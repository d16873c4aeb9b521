import Synchronization

/// The claim of one request to set how the rows of a session are chosen and ordered.
///
/// A newer request may supersede it, as long as what it sets has not taken effect.
public final class PatchClaim: Sendable {
  private let hasEnded = Atomic(false)

  /// Makes a claim that nothing supersedes so far.
  public init() {}

  /// True if a newer request has superseded it.
  public var isSuperseded: Bool { hasEnded.load(ordering: .relaxed) }

  /// Has the request stop at its next check.
  public func supersede() { hasEnded.store(true, ordering: .relaxed) }

  /// Refuses to go on for a request that was superseded.
  ///
  /// - Throws: `superseded`.
  public func check() throws(ServiceError) {
    guard isSuperseded else { return }
    throw ServiceError(
      .superseded,
      "A newer request sets the same options of this session; only that one takes effect."
    )
  }
}

extension PatchClaim: Equatable {
  /// Returns true if both are the claim of one request.
  public static func == (left: PatchClaim, right: PatchClaim) -> Bool { left === right }
}
