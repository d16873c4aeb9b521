import HTTP
import TreeDomain

/// Where a stream of events stands.
struct EventFlow: Sendable {
  /// How much is taken from the service before it is written, and written at once.
  static let pieceBytes = 65_536

  /// Whom events come from, until they have ended.
  private var following: (any Following)?
  /// Whether the stream is to end soon.
  var isDraining = false
  /// Whether something is to be written at once, so that a client that is gone is found out.
  var isHeartbeatDue = false

  private let heartbeatMilliseconds: Int
  private var hasBegun = false
  private var hasEnded = false
  /// What is written as events, and how much of it is handed on.
  private var pending: [UInt8] = []
  private var handedOn = 0
  /// When something was handed on last, in milliseconds.
  private var lastPiece = 0

  /// A stream that has not begun; it is never silent for longer than this.
  init(of following: any Following, heartbeatSeconds: Int) {
    self.following = following
    heartbeatMilliseconds = heartbeatSeconds * 1_000
  }

  /// What comes next.
  mutating func next(now: Int) -> LateStep {
    guard hasBegun else { return begin(now: now) }
    if handedOn == pending.count { refill() }
    if handedOn < pending.count { return .chunk(piece(now: now)) }
    if hasEnded { return .end }
    if isDraining { return farewell() }
    let silence = now - lastPiece
    guard isHeartbeatDue || silence >= heartbeatMilliseconds else {
      return .wait(milliseconds: heartbeatMilliseconds - silence)
    }
    isHeartbeatDue = false
    lastPiece = now
    return .chunk(Array(": heartbeat\n\n".utf8))
  }

  /// Follows no longer.
  mutating func stop() {
    following?.cancel()
    following = nil
  }

  private mutating func begin(now: Int) -> LateStep {
    hasBegun = true
    lastPiece = now
    var fields = Fields()
    fields.append(.contentType, MediaType.events.name + "; charset=utf-8")
    fields.append(.cacheControl, "no-store")
    fields.append(.vary, "Accept")
    let start = "retry: 2000\n: an event for each revision\n\n"
    return .begin(Response(.ok, fields: fields, body: Array(start.utf8)))
  }

  private mutating func farewell() -> LateStep {
    hasEnded = true
    stop()
    return .chunk(Array(": the service stops\n\n".utf8))
  }

  /// Takes events, as many as are there and fit into a piece.
  ///
  /// All but the last, which may be longer than that, are a piece at most; the service counts that
  /// one as held until it is asked for the next, when all of it has been handed on.
  private mutating func refill() {
    // Most of the time a stream is silent, and is to hold nothing then.
    pending = []
    handedOn = 0
    while pending.count < Self.pieceBytes, let event = following?.next() {
      guard event != .ended, event != .interrupted else {
        hasEnded = true
        stop()
        return
      }
      event.append(to: &pending)
    }
  }

  private mutating func piece(now: Int) -> [UInt8] {
    let end = min(handedOn + Self.pieceBytes, pending.count)
    defer { handedOn = end }
    lastPiece = now
    return Array(pending[handedOn..<end])
  }
}
