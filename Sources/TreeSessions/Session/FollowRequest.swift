import TreeDomain

/// A request to follow a session.
struct FollowRequest: Sendable {
  let session: SessionID
  /// The revision that the reader has; `nil` for the current one when the session is found.
  let since: Revision?
  /// See ``TreeService/follow(_:since:composes:_:notify:)``.
  let composes: Bool
  let options: BatchOptions
  let notify: @Sendable () -> Void
}

extension FollowEvent {
  /// Makes the last event of a stream that failed.
  ///
  /// It is `ended` if the session can no longer be followed, and `interrupted` if a new attempt may
  /// succeed.
  init(failure error: ServiceError) {
    switch error.code {
    case .sessionNotFound, .sessionExpired, .treeNotFound, .storageDamaged: self = .ended(error)
    default: self = .interrupted
    }
  }
}
