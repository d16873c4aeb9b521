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

/// An event of a followed session.
public enum ChangeEvent<Object: Decodable & Sendable>: Sendable {
  /// The net change since the revision of the event before.
  case changes(ChangeList<Object>)
  /// A gap in the history: read the rows again.
  ///
  /// Later events continue from this revision. If rows were read at a newer one, follow anew from
  /// there.
  case reset(revision: Int, rowCount: Int)

  /// The revision after the event.
  public var revision: Int {
    switch self {
    case .changes(let list): list.revision
    case .reset(let revision, _): revision
    }
  }
}

/// The state of following a session.
public enum FollowState: Sendable, Hashable {
  /// An event stream is open.
  case live
  /// Requests are held until something changes (long polls).
  case polling
  /// The service does not answer.
  case offline
}

/// Reports each change of the state of following once.
actor StateTeller {
  private let tell: (@Sendable (FollowState, Int?) async -> Void)?
  private let repeats: Bool
  private var last: FollowState?

  /// Creates a teller.
  ///
  /// - Parameters:
  ///   - tell: A function that receives the states.
  ///   - repeats: True to report a state again that is the same as before.
  init(tell: (@Sendable (FollowState, Int?) async -> Void)?, repeats: Bool) {
    self.tell = tell
    self.repeats = repeats
  }

  /// Reports a state, and the revision from which the events continue.
  func callAsFunction(_ state: FollowState, from revision: Int? = nil) async {
    guard repeats || state != last else { return }
    last = state
    await tell?(state, revision)
  }
}
