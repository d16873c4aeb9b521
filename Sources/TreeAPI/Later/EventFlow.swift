import HTTP
import TreeDomain

/// The state of a stream of events.
struct EventFlow: Sendable {
  /// The number of bytes that are taken from the service before they are written, and written at
  /// once.
  static let pieceBytes = 65_536
  /// The range, in milliseconds, of the time after which a client comes again.
  ///
  /// It is spread, so that the clients of a service that was restarted do not all come at once.
  static let retryMilliseconds = 1_000...5_000

  /// The source of the events, until they have ended.
  private var following: (any Following)?
  /// True if the stream is to end soon.
  var isDraining = false
  /// True if something is to be written at once, to find out whether the client is still there.
  var isHeartbeatDue = false

  private let heartbeatMilliseconds: Int
  /// The least time between two events, in milliseconds; 0 for none.
  private let interval: Int
  private var hasBegun = false
  private var hasEnded = false
  /// Events as text, and how much of it is handed on.
  private var pending: [UInt8] = []
  private var handedOn = 0
  /// The time, in milliseconds, at which something was handed on last.
  private var lastPiece = 0
  /// The time from which on the next event may come, in milliseconds.
  private var nextEvent = 0

  /// Makes a stream that has not begun.
  ///
  /// - Parameters:
  ///   - following: The source of the events.
  ///   - interval: The least time between two events, in milliseconds; 0 for none.
  ///   - heartbeatSeconds: The longest silence.
  init(of following: any Following, interval: Int, heartbeatSeconds: Int) {
    self.following = following
    self.interval = interval
    heartbeatMilliseconds = heartbeatSeconds * 1_000
  }

  /// Returns the next step.
  mutating func next(now: Int) -> LateStep {
    guard hasBegun else { return begin(now: now) }
    if handedOn == pending.count { refill(now: now) }
    if handedOn < pending.count { return .chunk(piece(now: now)) }
    if hasEnded { return .end }
    if isDraining { return farewell() }
    let silence = now - lastPiece
    guard isHeartbeatDue || silence >= heartbeatMilliseconds else {
      let heartbeat = heartbeatMilliseconds - silence
      return .wait(milliseconds: nextEvent > now ? min(heartbeat, nextEvent - now) : heartbeat)
    }
    isHeartbeatDue = false
    lastPiece = now
    return .chunk(Array(": heartbeat\n\n".utf8))
  }

  /// Stops following.
  mutating func stop() {
    following?.cancel()
    following = nil
  }

  private mutating func begin(now: Int) -> LateStep {
    hasBegun = true
    lastPiece = now
    var fields = Fields()
    fields.append(.contentType, MediaType.events.name + "; charset=utf-8")
    // A proxy that transforms content would wait for more of it.
    fields.append(.cacheControl, "no-store, no-transform")
    fields.append(.accelBuffering, "no")
    fields.append(.vary, "Accept")
    let retry = Int.random(in: Self.retryMilliseconds)
    let start = "retry: \(retry)\n: the changes of a session follow\n\n"
    return .begin(Response(.ok, fields: fields, body: Array(start.utf8)))
  }

  private mutating func farewell() -> LateStep {
    hasEnded = true
    stop()
    var bytes: [UInt8] = []
    bytes.append(endOfStream: .shuttingDown)
    return .chunk(bytes)
  }

  /// Takes events, as many as are there and fit into a piece; a single one if there is an interval.
  ///
  /// All but the last, which may be longer than that, are a piece at most; the service counts that
  /// one as held until it is asked for the next, when all of it has been handed on.
  private mutating func refill(now: Int) {
    // Most of the time a stream is silent, and is to hold nothing then.
    pending = []
    handedOn = 0
    repeat {
      guard let event = following?.next(holdingChanges: now < nextEvent) else { return }
      event.append(to: &pending)
      switch event {
      case .ended, .interrupted:
        hasEnded = true
        return stop()
      case .changes, .reset: nextEvent = now + interval
      }
    } while interval == 0 && pending.count < Self.pieceBytes
  }

  private mutating func piece(now: Int) -> [UInt8] {
    let end = min(handedOn + Self.pieceBytes, pending.count)
    defer { handedOn = end }
    lastPiece = now
    return Array(pending[handedOn..<end])
  }
}

extension FieldName {
  /// Asks nginx, and proxies that follow it, to hand content on as it comes.
  fileprivate static let accelBuffering = FieldName("X-Accel-Buffering")
}

extension ServiceError {
  /// The service stops; a client that comes again later goes on where it was.
  fileprivate static var shuttingDown: ServiceError {
    ServiceError(
      .shuttingDown,
      "The service stops; follow again in a moment, with the id of the last event."
    )
  }
}
