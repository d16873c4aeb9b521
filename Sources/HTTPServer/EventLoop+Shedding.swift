import HTTP

// What is refused where memory for what comes and goes is used up.
extension EventLoop {
  /// After how long a request that is still coming, and an answer of which nothing is taken, is
  /// given up when others need the room.
  private static let patienceMilliseconds = 1_000
  /// An answer of which so many bytes a second are taken is not given up.
  private static let slowBytesPerSecond = 256 * 1_024
  /// The time between two looks for slow readers while hardly any room is left.
  private static let roomCheckMilliseconds = 250
  /// How many bytes of a head may come even if there is no room.
  private static let smallHeadBytes = 4_096

  /// Has the handler say what takes content, unless there is no room for it.
  func choose(
    _ request: Request,
    on connection: Connection,
    _ state: inout ConnectionState
  ) {
    let refusal = refusal(of: request, on: connection).map(Refusal.init)
    let receiver: (any BodyReceiver)? = refusal ?? settings.handler.receiver(for: request)
    // What a receiver will hold of what is announced is its own affair.
    state.choose(receiver ?? roomlessReceiver(state.announcedBytes), now: clock.now)
  }

  /// The answer to a request that the handler does not see; nil if it does.
  func refusal(of request: Request, on connection: Connection) -> Response? {
    shedResponse(to: request) ?? waitResponse(to: request, on: connection)
  }

  /// The answer to a request where there is no room; nil if there is.
  private func shedResponse(to request: Request) -> Response? {
    isFull && !settings.handler.isVital(request) ? shed() : nil
  }

  /// Refuses content that would be collected and for which there would not be room; nil if there
  /// is, or if it is refused because nobody may send so much.
  private func roomlessReceiver(_ announced: Int) -> Refusal? {
    guard announced > Self.bytesPerTurn, announced <= settings.limits.maxBodyBytes,
      announced > settings.maxHeldBytes - settings.held.current
    else { return nil }
    return Refusal(shed())
  }

  /// Gives up a request that is coming and for the rest of which there is no room; returns whether
  /// it did.
  func shedRest(of connection: Connection, _ state: inout ConnectionState) -> Bool {
    let held = state.heldBytes
    guard held > Self.smallHeadBytes else { return false }
    let isCollecting = state.isCollecting
    guard isCollecting || state.isInHead else { return false }
    noteHeld(connection, held, answer: state.answerBytes)
    guard held > (isCollecting ? Self.bytesPerTurn : Self.smallHeadBytes), isFull else {
      return false
    }
    state.giveUp(with: shed(), now: clock.now)
    return true
  }

  /// Counts what a connection holds, and how much of it is an answer.
  ///
  /// Most hold nothing when their turn is over, so that the counts are not touched.
  func noteHeld(_ connection: Connection, _ held: Int, answer: Int) {
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
    // What others hold may be what there is to be given up.
    if now - more <= settings.tightHeldBytes { requestRoomOfOthers() }
  }

  /// Gives up a large answer of which nothing is sent where others hold as much as may be held;
  /// returns whether it did.
  ///
  /// The last sixteenth is for what is small, and for what may not be answered otherwise.
  func shedAnswer(of connection: Connection, _ state: inout ConnectionState) -> Bool {
    let bytes = state.unsentAnswerBytes
    guard bytes > Self.bytesPerTurn else { return false }
    noteHeld(connection, state.heldBytes, answer: bytes)
    let most = state.isReading ? settings.tightHeldBytes : settings.maxHeldBytes
    guard settings.held.current - bytes > most else { return false }
    makeRoom()
    guard settings.held.current - bytes > most else { return false }
    state.replaceAnswer(with: shed(), now: clock.now)
    noteHeld(connection, state.heldBytes, answer: state.answerBytes)
    return true
  }

  /// Whether as much is held as may be, and nothing could be given up for it.
  private var isFull: Bool {
    guard settings.held.current > settings.maxHeldBytes else { return false }
    makeRoom()
    guard settings.held.current > settings.maxHeldBytes else { return false }
    requestRoomOfOthers()
    return true
  }

  /// Has the other loops give up what this one has no room for.
  func requestRoomOfOthers() {
    for loop in settings.loops where loop !== resources { loop.requestRoom() }
  }

  /// Gives up what another loop has no room for.
  func makeRoomForOthers() {
    makeRoom()
    scheduleRoomCheck()
    makeRoomForConnection()
  }

  /// Looks for slow readers, if it is time to.
  func checkRoomIfDue() {
    guard let time = roomCheck, time <= clock.now.milliseconds else { return }
    roomCheck = nil
    makeRoom()
    scheduleRoomCheck()
  }

  /// Has slow readers looked for soon, while hardly any room is left.
  private func scheduleRoomCheck() {
    guard roomCheck == nil, settings.held.current > settings.tightHeldBytes else { return }
    roomCheck = clock.now.milliseconds + Self.roomCheckMilliseconds
  }

  private func shed() -> Response {
    metrics.add(1, to: .shed)
    return Problem.overloaded(retryAfter: 1).response
  }

  /// Gives up requests that are still coming after a while, and answers that are taken slowly for
  /// as long, the slowest first, until an eighth of all room is free.
  ///
  /// O(connections log connections), where hardly any room is left only, and once a turn.
  func makeRoom() {
    let (held, max) = (settings.held, settings.maxHeldBytes)
    guard lastMakingRoom != turnNumber, held.current > settings.tightHeldBytes else { return }
    lastMakingRoom = turnNumber
    var found: [(ConnectionState.Reclaimable, Connection)] = []
    // One whose turn it is has just been heard of, and the state of this one is held.
    for connection in connections.lazy.compactMap(\.self) where connection.lastTurn != turnNumber {
      let reclaimable = connection.state.reclaimable(
        afterMilliseconds: Self.patienceMilliseconds,
        slowerThan: Self.slowBytesPerSecond,
        now: clock.now
      )
      if reclaimable.bytes > 0 { found.append((reclaimable, connection)) }
    }
    for (_, connection) in found.sorted(by: { $0.0 < $1.0 }) where held.current > max - max / 8 {
      connection.state.giveUp(with: shed(), now: clock.now)
      let (bytes, answer) = (connection.state.heldBytes, connection.state.answerBytes)
      noteHeld(connection, bytes, answer: answer)
      enqueue(connection)
    }
  }
}

extension EventLoop.Settings {
  /// The bytes beyond which large answers are refused and slow readers given up.
  var tightHeldBytes: Int { maxHeldBytes - maxHeldBytes / 16 }
}
