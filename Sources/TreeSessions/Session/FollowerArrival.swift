import Synchronization
import TreeDomain

/// A follower on its way to its session, which has to be looked up, or whose tree is being read or
/// worked at.
///
/// Its stream has begun already. It takes no place of a call that waits; how many there are is
/// bounded with the followers.
final class FollowerArrival: Following {
  private enum Stage {
    case waiting
    /// The tree is held, and the follower is being made.
    case arriving
    case arrived(Follower)
    case failed(FollowEvent)
    case cancelled

    var isWaiting: Bool { if case .waiting = self { true } else { false } }
    var isArriving: Bool { if case .arriving = self { true } else { false } }
  }

  /// Makes the follower, with the tree held.
  typealias Maker =
    @Sendable (FollowRequest, inout TreeManager, LockedTree) throws(ServiceError) -> Follower

  let request: FollowRequest
  private let stage = Mutex(Stage.waiting)
  private let makeFollower: Maker
  /// Gives back the place among the followers.
  private let onCancel: @Sendable () -> Void

  init(
    _ request: FollowRequest,
    makeFollower: @escaping Maker,
    onCancel: @escaping @Sendable () -> Void
  ) {
    self.request = request
    self.makeFollower = makeFollower
    self.onCancel = onCancel
  }

  /// Adds the follower to its session, unless its reader is gone.
  func arrive(at manager: inout TreeManager, of tree: LockedTree) {
    guard change(from: \.isWaiting, to: .arriving) else { return }
    do throws(ServiceError) {
      let follower = try makeFollower(request, &manager, tree)
      guard change(from: \.isArriving, to: .arrived(follower)) else { return follower.cancel() }
      request.notify()
    } catch {
      guard change(from: \.isArriving, to: .failed(FollowEvent(failure: error))) else {
        return onCancel()
      }
      request.notify()
    }
  }

  /// Ends the stream, as its session cannot be followed.
  func fail(_ error: ServiceError) {
    guard change(from: \.isWaiting, to: .failed(FollowEvent(failure: error))) else { return }
    request.notify()
  }

  /// Changes the stage if it is the expected one; returns true if it was.
  private func change(from isExpected: (Stage) -> Bool, to new: Stage) -> Bool {
    stage.withLock { stage in
      guard isExpected(stage) else { return false }
      stage = new
      return true
    }
  }

  func next(holdingChanges: Bool) -> FollowEvent? {
    switch stage.withLock({ $0 }) {
    case .arrived(let follower): follower.next(holdingChanges: holdingChanges)
    case .failed(let event): event
    case .waiting, .arriving, .cancelled: nil
    }
  }

  func cancel() {
    let stage = stage.withLock { stage in
      defer { stage = .cancelled }
      return stage
    }
    switch stage {
    case .arrived(let follower): follower.cancel()
    case .waiting, .failed: onCancel()
    // Whoever makes the follower finds it cancelled.
    case .arriving, .cancelled: break
    }
  }
}
