/// One who follows a session.
///
/// What happens is kept until it is asked for, as far as there is room: a slow reader gets what it
/// missed as one net list, or is told to read everything again. The room of an event is taken until
/// the next one is asked for.
public protocol Following: Sendable {
  /// The next event; `nil` while there is none, of whose end `notify` tells.
  func next() -> FollowEvent?

  /// Stops following; nobody is notified any more.
  func cancel()
}
