import HTTP

// What is refused where memory for what comes and goes is used up.
extension EventLoop {
  /// After how long a request that is still coming, and an answer of which nothing is taken, is
  /// given up when others need the room.
  private static let patienceMilliseconds = 1_000
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
    noteHeld(connection, held)
    guard held > (isCollecting ? Self.bytesPerTurn : Self.smallHeadBytes), isFull else {
      return false
    }
    state.giveUp(with: shed(), now: clock.now)
    return true
  }

  /// Counts what a connection holds.
  ///
  /// Most hold nothing when their turn is over, so that the count is not touched.
  func noteHeld(_ connection: Connection, _ held: Int) {
    guard held != connection.countedBytes else { return }
    settings.held.add(held - connection.countedBytes)
    connection.countedBytes = held
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
    makeRoomForConnection()
  }

  private func shed() -> Response {
    metrics.add(1, to: .shed)
    return Problem.overloaded(retryAfter: 1).response
  }

  /// Gives up requests that are still coming after a while, and answers of which nothing was taken
  /// for as long, those that hold most first, until a sixteenth of all room is free.
  ///
  /// O(connections log connections), where memory is used up only, and once a turn.
  func makeRoom() {
    let (held, max) = (settings.held, settings.maxHeldBytes)
    guard lastMakingRoom != turnNumber, held.current > max else { return }
    lastMakingRoom = turnNumber
    var found: [(bytes: Int, connection: Connection)] = []
    // One whose turn it is has just been heard of, and the state of this one is held.
    for connection in connections.lazy.compactMap(\.self) where connection.lastTurn != turnNumber {
      let bytes = connection.state.reclaimableBytes(
        afterMilliseconds: Self.patienceMilliseconds,
        now: clock.now
      )
      if bytes > 0 { found.append((bytes, connection)) }
    }
    for (_, connection) in found.sorted(by: { $0.bytes > $1.bytes })
    where held.current > max - max / 16 {
      connection.state.giveUp(with: shed(), now: clock.now)
      noteHeld(connection, connection.state.heldBytes)
      enqueue(connection)
    }
  }
}
