/// Reports each change of the state of following once.
actor StateTeller {
  private let tell: (@Sendable (FollowState) async -> Void)?
  private var last: FollowState?

  init(tell: (@Sendable (FollowState) async -> Void)?) { self.tell = tell }

  /// Reports a state, unless it is the same as before.
  func callAsFunction(_ state: FollowState) async {
    guard state != last else { return }
    last = state
    await tell?(state)
  }
}
