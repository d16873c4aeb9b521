/// Options for following a session.
public struct FollowOptions: Sendable {
  /// The form of the lists.
  public var form = ChangeOptions()
  /// The minimum time between two lists; nil for a list for each revision.
  public var interval: Duration?
  /// The `heartbeatSeconds` of the service.
  ///
  /// A connection that is silent for twice as long is replaced.
  public var heartbeat: Duration = .seconds(15)
  /// A function that is called when the state of following changes.
  public var onState: (@Sendable (FollowState) -> Void)?

  /// Creates options.
  public init(
    form: ChangeOptions = ChangeOptions(),
    interval: Duration? = nil,
    heartbeat: Duration = .seconds(15),
    onState: (@Sendable (FollowState) -> Void)? = nil
  ) {
    self.form = form
    self.interval = interval
    self.heartbeat = heartbeat
    self.onState = onState
  }

  var query: Query {
    let milliseconds = interval.map { $0 / .milliseconds(1) }
    return form.query.merging(["interval": milliseconds.map { String(Int($0)) }]) { $1 }
  }
}
