import TreeDomain

/// The way in which a call comes to a tree.
enum CallMode: Sendable {
  /// As an attempt at the work of a request, which says whether it may wait and take its time.
  case attempt(Attempt)
  /// As one that may wait for the tree's lock; the control may stop it.
  case waiting((any WorkControl)?)

  /// As one that may wait for the tree's lock, and that nothing stops.
  static var blocking: CallMode { .waiting(nil) }

  /// The attempt; `nil` for other calls.
  var attempt: Attempt? { if case .attempt(let attempt) = self { attempt } else { nil } }

  /// True if the thread may wait for a disk, and work for long.
  var mayWait: Bool { attempt?.mayWait ?? true }

  /// The control of work on what nobody else knows yet.
  var control: (any WorkControl)? {
    switch self {
    case .attempt(let attempt): attempt.job ?? attempt
    case .waiting(let control): control
    }
  }
}
