/// A way to tell each way of following once.
actor StateTeller {
  private let tell: (@Sendable (FollowState) async -> Void)?
  private var last: FollowState?

  init(tell: (@Sendable (FollowState) async -> Void)?) { self.tell = tell }

  /// Tells a way, if it is another one than before.
  func callAsFunction(_ state: FollowState) async {
    guard state != last else { return }
    last = state
    await tell?(state)
  }
}
