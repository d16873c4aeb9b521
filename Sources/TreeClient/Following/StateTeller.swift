/// Reports each change of the state of following once.
actor StateTeller {
  private let tell: (@Sendable (FollowState) async -> Void)?
  private let repeats: Bool
  private var last: FollowState?

  /// Creates a teller.
  ///
  /// - Parameters:
  ///   - tell: A function that receives the states.
  ///   - repeats: True to report a state again that is the same as before.
  init(tell: (@Sendable (FollowState) async -> Void)?, repeats: Bool) {
    self.tell = tell
    self.repeats = repeats
  }

  /// Reports a state.
  func callAsFunction(_ state: FollowState) async {
    guard repeats || state != last else { return }
    last = state
    await tell?(state)
  }
}
