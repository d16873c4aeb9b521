import TreeDomain

/// The way in which a call accesses a tree.
enum CallMode: Sendable {
  /// An attempt at a request, which says whether the call may wait and take long.
  case attempt(Attempt)
  /// A call that may wait for the tree's lock.
  ///
  /// The control, if there is one, may stop its work.
  case waiting((any WorkControl)?)

  /// A call that may wait for the tree's lock, and that nothing stops.
  static var blocking: CallMode { .waiting(nil) }

  /// The attempt; `nil` for other calls.
  var attempt: Attempt? { if case .attempt(let attempt) = self { attempt } else { nil } }

  /// True if the thread may wait for a disk, and may work for long.
  var mayWait: Bool { attempt?.mayWait ?? true }

  /// The control of the call's work; `nil` if nothing stops the work.
  var control: (any WorkControl)? {
    switch self {
    case .attempt(let attempt): attempt.job ?? attempt
    case .waiting(let control): control
    }
  }
}
