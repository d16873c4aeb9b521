/// Reports each change of the state of following once.
actor StateTeller {
  private let tell: (@Sendable (FollowState, Int?) async -> Void)?
  private let repeats: Bool
  private var last: FollowState?

  /// Creates a teller.
  ///
  /// - Parameters:
  ///   - tell: A function that receives the states.
  ///   - repeats: True to report a state again that is the same as before.
  init(tell: (@Sendable (FollowState, Int?) async -> Void)?, repeats: Bool) {
    self.tell = tell
    self.repeats = repeats
  }

  /// Reports a state, and the revision from which the events continue.
  func callAsFunction(_ state: FollowState, from revision: Int? = nil) async {
    guard repeats || state != last else { return }
    last = state
    await tell?(state, revision)
  }
}
