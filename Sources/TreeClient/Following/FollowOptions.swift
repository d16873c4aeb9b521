/// The way a session is to be followed.
public struct FollowOptions: Sendable {
  /// The form of the lists.
  public var form = ChangeOptions()
  /// The time between two lists at least; a list for each revision if nil.
  public var interval: Duration?
  /// The `heartbeatSeconds` of the service.
  ///
  /// A connection that is silent for twice as long is given up.
  public var heartbeat: Duration = .seconds(15)
  /// A function that is called whenever the way the session is followed changes.
  public var onState: (@Sendable (FollowState) -> Void)?

  /// Makes options.
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
