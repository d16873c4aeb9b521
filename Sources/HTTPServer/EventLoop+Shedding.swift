import HTTP

// Load shedding, when the memory for requests and responses is used up.
extension EventLoop {
  /// The age from which an incomplete request or a slow response may be given up for others.
  private static let patienceMilliseconds = 1_000
  /// The rate in bytes per second from which a response is not slow.
  private static let slowBytesPerSecond = 256 * 1_024
  /// The time between two searches for slow clients while memory is short.
  private static let roomCheckMilliseconds = 250
  /// The number of bytes of a head that are accepted even if there is no memory.
  private static let smallHeadBytes = 4_096

  /// Asks the handler for a receiver of content, unless there is no memory for it.
  func choose(
    _ request: Request,
    on connection: Connection,
    _ state: inout ConnectionState
  ) {
    let refusal = refusal(of: request, on: connection).map(Refusal.init)
    let receiver: (any BodyReceiver)? = refusal ?? settings.handler.receiver(for: request)
    // The memory that a receiver will use is limited by the receiver itself.
    state.choose(
      receiver ?? roomlessReceiver(state.announcedBytes),
      now: clock.now,
      waker: waker(of: connection)
    )
  }

  /// Returns the response to a request that does not reach the handler, or nil if it does.
  func refusal(of request: Request, on connection: Connection) -> Response? {
    exemptIfForwarded(request, on: connection)
    return shedResponse(to: request) ?? waitResponse(to: request, on: connection)
  }

  /// Returns the response to a request if there is no memory, else nil.
  private func shedResponse(to request: Request) -> Response? {
    isFull && !settings.handler.isVital(request) ? shed() : nil
  }

  /// Returns a refusal of content that would have to be collected and does not fit into the memory.
  ///
  /// Returns nil if it fits, or if the content exceeds the limit of a body and is refused for that.
  private func roomlessReceiver(_ announced: Int) -> Refusal? {
    guard announced > Self.bytesPerTurn, announced <= settings.limits.maxBodyBytes,
      announced > settings.maxHeldBytes - settings.held.current
    else { return nil }
    return Refusal(shed())
  }

  /// Gives up an incomplete request if there is no memory for its rest; returns true if it did.
  func shedRest(of connection: Connection, _ state: inout ConnectionState) -> Bool {
    let held = state.heldBytes
    guard held > Self.smallHeadBytes else { return false }
    let isCollecting = state.isCollecting
    guard isCollecting || state.isInHead else { return false }
    recordHeld(connection, held, answer: state.answerBytes)
    guard held > (isCollecting ? Self.bytesPerTurn : Self.smallHeadBytes), isFull else {
      return false
    }
    state.giveUp(with: shed(), now: clock.now)
    return true
  }

  /// Updates the counts of bytes held by a connection, and of those that belong to responses.
  ///
  /// Most connections hold nothing when their service ends, so the shared counts are not touched.
  func recordHeld(_ connection: Connection, _ held: Int, answer: Int) {
    if answer != connection.countedAnswerBytes {
      settings.heldAnswers.add(answer - connection.countedAnswerBytes)
      connection.countedAnswerBytes = answer
    }
    let more = held - connection.countedBytes
    guard more != 0 else { return }
    connection.countedBytes = held
    let now = settings.held.add(more)
    guard more > 0, now > settings.tightHeldBytes else { return }
    scheduleRoomCheck()
    // Other loops may hold connections that can be given up.
    if now - more <= settings.tightHeldBytes { requestRoomOfOthers() }
  }

  /// Gives up a large unsent response if it does not fit into the memory; returns true if it did.
  ///
  /// The last sixteenth of the memory is reserved for small responses, and for those to requests
  /// that may have changed something. A response is counted only if it fits, so that small requests
  /// on other loops are not refused for it.
  func shedAnswer(of connection: Connection, _ state: inout ConnectionState) -> Bool {
    let bytes = state.unsentAnswerBytes
    let held = state.heldBytes
    guard bytes > Self.bytesPerTurn, held > connection.countedBytes else { return false }
    // One of more than half of the memory counts as half, so that it can be sent at all.
    let wanted = min(held - connection.countedBytes, settings.maxHeldBytes / 2)
    let most = state.isReading ? settings.tightHeldBytes - wanted : settings.maxHeldBytes
    if settings.held.current > most {
      makeRoom(for: wanted)
      if settings.held.current > most {
        requestRoomOfOthers(for: wanted)
        state.replaceAnswer(with: shed(), now: clock.now)
      }
    }
    recordHeld(connection, state.heldBytes, answer: state.answerBytes)
    return state.unsentAnswerBytes != bytes
  }

  /// True if the memory is used up and nothing can be given up.
  private var isFull: Bool {
    guard settings.held.current > settings.maxHeldBytes else { return false }
    makeRoom()
    guard settings.held.current > settings.maxHeldBytes else { return false }
    requestRoomOfOthers()
    return true
  }

  /// Asks the other loops to free memory for `bytes` more, and to close an idle connection.
  func requestRoomOfOthers(for bytes: Int = 0) {
    for loop in settings.loops where loop !== resources { loop.requestRoom(for: bytes) }
  }

  /// Frees memory for `bytes` more, and closes an idle connection, because another loop asked for
  /// it.
  func makeRoomForOthers(for bytes: Int) {
    makeRoom(for: bytes)
    scheduleRoomCheck()
    makeRoomForConnection()
  }

  /// Searches for slow clients, if it is time.
  func checkRoomIfDue() {
    guard let time = roomCheck, time <= clock.now.milliseconds else { return }
    roomCheck = nil
    makeRoom()
    scheduleRoomCheck()
  }

  /// Schedules the next search for slow clients while memory is short.
  private func scheduleRoomCheck() {
    guard roomCheck == nil, settings.held.current > settings.tightHeldBytes else { return }
    roomCheck = clock.now.milliseconds + Self.roomCheckMilliseconds
  }

  private func shed() -> Response {
    metrics.add(1, to: .shed)
    return Problem.overloaded(retryAfter: 1).response
  }

  /// Gives up old incomplete requests and slow responses, the slowest first, until an eighth of the
  /// memory is free.
  ///
  /// Does nothing if there is enough memory. Runs at most once in an iteration.
  ///
  /// - Parameter bytes: The bytes that are about to be held as well.
  /// - Complexity: O(connections log connections).
  func makeRoom(for bytes: Int = 0) {
    let (held, tight) = (settings.held, settings.tightHeldBytes - bytes)
    guard lastMakingRoom != turnNumber, held.current > tight else { return }
    let most = settings.maxHeldBytes - settings.maxHeldBytes / 8 - bytes
    lastMakingRoom = turnNumber
    var found: [(ConnectionState.Reclaimable, Connection)] = []
    // A connection served in this iteration is active. The state of the current one is borrowed,
    // too.
    for connection in connections.lazy.compactMap(\.self) where connection.lastTurn != turnNumber {
      let reclaimable = connection.state.reclaimable(
        afterMilliseconds: Self.patienceMilliseconds,
        slowerThan: Self.slowBytesPerSecond,
        now: clock.now
      )
      if reclaimable.bytes > 0 { found.append((reclaimable, connection)) }
    }
    for (_, connection) in found.sorted(by: { $0.0 < $1.0 }) where held.current > most {
      connection.state.giveUp(with: shed(), now: clock.now)
      let (bytes, answer) = (connection.state.heldBytes, connection.state.answerBytes)
      recordHeld(connection, bytes, answer: answer)
      enqueue(connection)
    }
  }
}

extension EventLoop.Settings {
  /// The limit in bytes from which large responses are refused and slow clients given up.
  var tightHeldBytes: Int { maxHeldBytes - maxHeldBytes / 16 }
}
