import Synchronization
import TreeDomain

/// A follower that waits for its session, which is being looked up, or whose tree is busy or being
/// read.
///
/// Its stream has begun already. It does not count as a waiting call, but as a follower.
final class FollowerArrival: Following {
  private enum Stage {
    case waiting
    /// The tree is locked, and the follower is being made.
    case arriving
    case arrived(Follower)
    case failed(FollowEvent)
    case cancelled

    var isWaiting: Bool { if case .waiting = self { true } else { false } }
    var isArriving: Bool { if case .arriving = self { true } else { false } }
  }

  /// A function that makes the follower while the tree is locked.
  typealias Maker =
    @Sendable (FollowRequest, inout TreeManager, LockedTree) throws(ServiceError) -> Follower

  let request: FollowRequest
  private let stage = Mutex(Stage.waiting)
  private let makeFollower: Maker
  /// Uncounts the follower, which counts since its stream began.
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

  /// Adds the follower to its session, unless it was cancelled.
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

  /// Ends the stream, because the session cannot be followed.
  func fail(_ error: ServiceError) {
    guard change(from: \.isWaiting, to: .failed(FollowEvent(failure: error))) else { return }
    request.notify()
  }

  /// Changes the stage if the current one is expected.
  ///
  /// Returns true if the stage was changed.
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
    // The thread that makes the follower will find it cancelled.
    case .arriving, .cancelled: break
    }
  }
}
