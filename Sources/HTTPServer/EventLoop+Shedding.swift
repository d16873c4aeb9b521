import HTTP

// What is refused where memory for what comes and goes is used up.
extension EventLoop {
  /// After how long a reader that takes nothing is given up when others need the room.
  private static let stallMilliseconds = 1_000

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
  /// is.
  private func roomlessReceiver(_ announced: Int) -> Refusal? {
    let isLarge = announced > Self.bytesPerTurn
    return isLarge && settings.held.current + announced > settings.heldBytesMax
      ? Refusal(shed()) : nil
  }

  /// Gives up content that is being collected and for which there is no more room; returns whether
  /// it did.
  func shedContent(of connection: Connection, _ state: inout ConnectionState) -> Bool {
    guard state.isCollecting else { return false }
    noteHeld(connection, state.heldBytes)
    guard connection.countedBytes > Self.bytesPerTurn, isFull else { return false }
    state.giveUpCollecting(with: shed(), now: clock.now)
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

  /// Whether as much is held as may be, and no reader could be given up for it.
  private var isFull: Bool {
    guard settings.held.current > settings.heldBytesMax else { return false }
    giveUpSlowestReader()
    return settings.held.current > settings.heldBytesMax
  }

  private func shed() -> Response {
    metrics.add(1, to: .shed)
    return Problem.overloaded(retryAfter: 1).response
  }

  /// Resets the connection whose client leaves most of an answer untaken, if there is one that has
  /// taken nothing for a while.
  ///
  /// O(connections), where memory is used up only, and once a turn.
  private func giveUpSlowestReader() {
    guard lastMakingRoom != turnNumber else { return }
    lastMakingRoom = turnNumber
    var most = 0
    var slowest: Connection?
    // One whose turn it is has just been heard of, and the state of this one is held.
    for connection in connections.lazy.compactMap(\.self) where connection.lastTurn != turnNumber {
      let bytes = connection.state.stalledBytes(
        forMilliseconds: Self.stallMilliseconds,
        now: clock.now
      )
      guard bytes > most else { continue }
      (most, slowest) = (bytes, connection)
    }
    guard let slowest else { return }
    Syscalls.resetOnClose(slowest.descriptor.number)
    close(slowest)
  }
}
