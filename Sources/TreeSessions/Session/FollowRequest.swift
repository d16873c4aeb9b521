import TreeDomain

/// A request to follow a session.
struct FollowRequest: Sendable {
  let session: SessionID
  /// The revision that the reader has; `nil` for the one at which the session is found.
  let since: Revision?
  /// See ``TreeService/follow(_:since:composes:_:notify:)``.
  let composes: Bool
  let options: BatchOptions
  let notify: @Sendable () -> Void
}

extension FollowEvent {
  /// The end of a stream for a reason: for good if the session cannot be followed any more, for now
  /// if that may work soon.
  init(failure error: ServiceError) {
    switch error.code {
    case .sessionNotFound, .sessionExpired, .treeNotFound, .storageDamaged: self = .ended(error)
    default: self = .interrupted
    }
  }
}
