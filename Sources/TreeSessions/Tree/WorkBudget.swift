import TreeDomain

/// The most that a nonblocking call may cost.
struct WorkBudget: Sendable {
  /// The number of steps, each about a tenth of a microsecond.
  let steps: Int
  /// The queue for work that takes longer.
  let turn: Turn
}

extension ServiceError {
  /// Refuses work that would wait for the tree, or take long.
  static func busy(_ turn: Turn) -> ServiceError {
    var error = ServiceError(.overloaded, "The tree is being worked on; try again soon.")
    error.turn = turn
    return error
  }
}
