import HTTP
import TreeDomain

/// The state of an event stream.
struct EventFlow: Sendable {
  /// The approximate number of bytes fetched from the service at a time, and the maximum of a
  /// write.
  static let pieceBytes = 65_536
  /// The range of the reconnection time, in milliseconds.
  ///
  /// It is random, so that clients do not all reconnect at once after a restart.
  static let retryMilliseconds = 1_000...5_000

  /// The source of the events, until they end.
  private var following: (any Following)?
  /// True if the stream must end soon.
  var isDraining = false
  /// True if a heartbeat must be sent at once, to find out if the client is still there.
  var isHeartbeatDue = false

  /// The API key, checked again while the stream runs; nil if the request used none.
  private let access: HeldAccess?
  /// True if the head says that the events have no lists, as the client prefers.
  private let isMinimal: Bool
  private let heartbeatMilliseconds: Int
  /// The minimum time between two events, in milliseconds; 0 for none.
  private let interval: Int
  private var hasBegun = false
  private var hasEnded = false
  /// The fetched events as text; the first `handedOn` bytes are already passed on.
  private var pending: [UInt8] = []
  private var handedOn = 0
  /// The time when something was last passed on, in milliseconds.
  private var lastPiece = 0
  /// The earliest time of the next event, in milliseconds.
  private var nextEvent = 0

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - following: The source of the events.
  ///   - interval: The minimum time between two events, in milliseconds; 0 for none.
  ///   - heartbeatSeconds: The time without events after which a heartbeat is sent.
  ///   - isMinimal: True if the events have no lists, as the client prefers.
  ///   - access: The API key, checked again while the stream runs; nil if the request used none.
  init(
    of following: any Following,
    interval: Int,
    heartbeatSeconds: Int,
    isMinimal: Bool = false,
    access: HeldAccess? = nil
  ) {
    self.following = following
    self.isMinimal = isMinimal
    self.access = access
    self.interval = interval
    heartbeatMilliseconds = heartbeatSeconds * 1_000
  }

  /// Returns the next step.
  mutating func next(now: Int) -> LateStep {
    guard hasBegun else { return begin(now: now) }
    if handedOn == pending.count, !hasEnded, access?.isWithdrawn == true {
      return .chunk(farewell(Problem.unknownToken))
    }
    if handedOn == pending.count { refill(now: now) }
    if handedOn < pending.count { return .chunk(piece(now: now)) }
    if hasEnded { return .end }
    if isDraining { return .chunk(farewell(.shuttingDown)) }
    let silence = now - lastPiece
    guard isHeartbeatDue || silence >= heartbeatMilliseconds else {
      var wait = heartbeatMilliseconds - silence
      if nextEvent > now { wait = min(wait, nextEvent - now) }
      if access != nil { wait = min(wait, HeldAccess.intervalMilliseconds) }
      return .wait(milliseconds: wait)
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
    // A proxy that transforms content would buffer it.
    fields.append(.cacheControl, "no-store, no-transform")
    fields.append(.accelBuffering, "no")
    fields.append(.vary, "Accept, Prefer")
    if isMinimal { fields.append(.preferenceApplied, "return=minimal") }
    let retry = Int.random(in: Self.retryMilliseconds)
    let start = "retry: \(retry)\n: the changes of a session follow\n\n"
    return .begin(Response(.ok, fields: fields, body: Array(start.utf8)))
  }

  private mutating func farewell(_ reason: ServiceError) -> [UInt8] {
    hasEnded = true
    stop()
    var bytes: [UInt8] = []
    bytes.append(endOfStream: reason)
    return bytes
  }

  private mutating func farewell(_ problem: Problem) -> [UInt8] {
    hasEnded = true
    stop()
    var bytes: [UInt8] = []
    bytes.append(endOfStream: problem.code, problem.detail)
    return bytes
  }

  /// Fetches the available events up to the size of a piece; only one if there is an interval.
  ///
  /// The last event may exceed that size. The service counts it as held until the next one is
  /// requested, which is when all of it has been passed on.
  private mutating func refill(now: Int) {
    // A stream is silent most of the time and must hold no memory then.
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
    lastPiece = now
    let end = min(handedOn + Self.pieceBytes, pending.count)
    guard end == pending.count else {
      defer { handedOn = end }
      return Array(pending[handedOn..<end])
    }
    // The connection counts what it sends, so that nothing is kept here beside it.
    defer { (pending, handedOn) = ([], 0) }
    return handedOn == 0 ? pending : Array(pending[handedOn...])
  }
}

extension FieldName {
  /// Makes nginx and compatible proxies forward content without buffering.
  fileprivate static let accelBuffering = FieldName("X-Accel-Buffering")
}

extension ServiceError {
  /// The error that ends a stream when the service stops; the client may continue later.
  static var shuttingDown: ServiceError {
    ServiceError(
      .shuttingDown,
      "The service stops; follow again in a moment, with the id of the last event."
    )
  }
}
