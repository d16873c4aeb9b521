/// A follower of a session, as its reader sees it.
///
/// Events are kept until they are asked for, as far as there is room: a slow reader gets what it
/// missed as one net list, or is told to read everything again. The room of an event is taken until
/// the next one is asked for.
public protocol Following: Sendable {
  /// Takes the next event.
  ///
  /// - Parameter holdingChanges: True to leave changes where they are: only an end is given then.
  /// - Returns: The event; `nil` while there is none, of whose end `notify` tells.
  func next(holdingChanges: Bool) -> FollowEvent?

  /// Stops following; nobody is notified any more.
  func cancel()
}

extension Following {
  /// Takes the next event; `nil` while there is none.
  public func next() -> FollowEvent? { next(holdingChanges: false) }
}
