import Coding
import HTTP

/// One thread's share of the server: it waits for events, and carries out what the states of its
/// connections ask for.
///
/// Nothing in it is shared with other threads but `resources`, `metrics` and what `Settings`
/// counts; a connection stays with its loop for life.
final class EventLoop {
  /// What the loops of one server have in common.
  struct Settings: Sendable {
    let limits: Limits
    let hosts: HostRule
    let maxConnections: Int
    let maxHeldBytes: Int
    /// Counts the connections from each address; nil where nobody asks.
    let addresses: AddressCounts?
    /// Counts credentials from each address that were refused; nil where nobody asks.
    let refusedCredentials: RefusedCredentials?
    let exemptsLoopback: Bool
    let handler: any RequestHandler
    let coding: CodingOptions?
    let router: Router
    let connectionCount: SharedCount
    /// How many bytes all connections hold.
    let held: SharedCount
    /// The number of them that are of answers.
    let heldAnswers: SharedCount
    /// What the loops are asked by, this one among them.
    let loops: [LoopResources]
    let log: AccessLog?
    let maxSpinMicroseconds: Int
  }

  /// How many events one wait takes.
  static let maxEvents = 256
  /// How many bytes one read takes.
  static let maxReadBytes = 64 * 1024
  /// For how long at most the loop looks for a request before it sleeps.
  static let maxRequestWaitMicroseconds = 50
  /// How many actions a connection gets before the others have their turn.
  static let actionsPerTurn = 64
  /// About how many bytes a connection reads and writes before the others have their turn: what is
  /// done with them takes time, too.
  static let bytesPerTurn = 64 * 1024

  let settings: Settings
  let resources: LoopResources
  let metrics: LoopMetrics
  /// The sockets from which it accepts connections; none after it was told to stop.
  var listeners: [Listener]
  /// Given up for a moment when descriptors run out, to get rid of who is waiting.
  var reserve: FileDescriptor?
  var epoll: Epoll
  var clock = LoopClock()
  var timers = TimerQueue()
  /// The connections by descriptor number.
  var connections: [Connection?] = []
  var connectionCount = 0
  /// How many of them are not served, only told so.
  var turnedAwayCount = 0
  var lastGeneration: UInt32 = 0
  /// Seeds the request ids of each connection.
  var seeds = RequestIDs(seed: .random(in: 0 ... .max))
  /// How many connections have an answer that will come within microseconds, and how to wait then.
  var nearAnswers = 0
  private var answerWait: BriefWait
  /// How to wait for what else may happen: a client that was answered may ask again at once.
  private var requestWait: BriefWait
  /// Whose late answers are to be asked, while they are gone through.
  private var woken: [EventToken] = []
  /// Connections that have something to do which can wait until others had their turn.
  var queue = ConnectionQueue()
  /// Whether somebody waits to be accepted.
  private var isAcceptDue = false
  var readBuffer = [UInt8](repeating: 0, count: EventLoop.maxReadBytes)
  /// Counts the turns.
  var turnNumber = 0
  /// The connections that were kept idle in the turn of a number, the longest so first.
  var idleRanking = TimerQueue()
  var rankingTurn = -1
  /// The turn in which something was given up last to make room.
  var lastMakingRoom = -1
  /// When slow readers are to be looked for, in the milliseconds of ``Moment``; nil where there is
  /// room.
  var roomCheck: Int?
  /// The bytes that the connection whose turn it is has read and written.
  var bytesOfTurn = 0
  /// Codes content; nil before any was to be coded.
  var encoder: GzipEncoder?
  private var isDraining = false

  init(settings: Settings, resources: LoopResources, metrics: LoopMetrics) {
    self.settings = settings
    self.resources = resources
    self.metrics = metrics
    listeners = resources.takeListeners()
    reserve = try? Syscalls.openReserve()
    answerWait = BriefWait(microseconds: settings.maxSpinMicroseconds)
    requestWait = BriefWait(
      microseconds: min(settings.maxSpinMicroseconds, Self.maxRequestWaitMicroseconds)
    )
    epoll = Epoll(descriptor: resources.epoll.number, capacity: Self.maxEvents)
  }

  /// Runs until it is told to stop and all connections are closed, or the stop's deadline passes.
  func run() {
    let wakeup = EventToken(permanent: resources.wakeup.number)
    var isWatching = epoll.addReader(wakeup)
    for listener in listeners {
      let token = EventToken(permanent: listener.descriptor.number)
      isWatching = epoll.addReader(token) && isWatching
    }
    precondition(isWatching, "a new epoll instance has room for a few descriptors")
    while !isFinished { turn() }
    closeAll()
  }

  /// Waits, handles what happened, then some of what was left over, what is due, and who is new.
  private func turn() {
    waitForEvents()
    clock = clock.refreshed()
    turnNumber &+= 1
    // One alone gains nothing from a group, and would wait for its end.
    let isCrowded = epoll.count + queue.count > 1
    if isCrowded { settings.handler.beginGroup() }
    serve()
    if isCrowded { settings.handler.endGroup() }
    if !isDraining, resources.stopDeadline != nil { drain() }
  }

  private func serve() {
    var group = ConnectionGroup()
    for index in 0..<epoll.count { handle(epoll[index], &group) }
    if resources.hasWoken { wakeAll(&group) }
    serve(&group)
    serveQueued()
    serveDue()
    checkRoomIfDue()
    acceptSome()
  }

  /// Serves those who were told to wait, for a slice of time.
  private func serveQueued() {
    guard !queue.isEmpty else { return }
    var answered = ConnectionGroup()
    defer { sendAnswers(to: &answered) }
    let slice = TimeSlice()
    // What is put back meanwhile has its turn in another one.
    for _ in 0..<queue.count {
      guard let token = queue.next() else { return }
      guard let connection = connection(for: token) else { continue }
      connection.isQueued = false
      // No connection gets two turns in one, however much comes for it.
      if connection.lastTurn == turnNumber {
        enqueue(connection)
      } else {
        prepareAnswer(of: connection, among: &answered)
      }
      if slice.isOver { return }
    }
  }

  /// Looks at those whose time has come, for a slice of time.
  private func serveDue() {
    guard let next = timers.next, next <= clock.now.milliseconds else { return }
    let slice = TimeSlice()
    while let due = timers.popDue(now: clock.now.milliseconds) {
      guard let connection = connection(for: due.token),
        connection.scheduled == due.milliseconds
      else { continue }
      connection.scheduled = nil
      connection.state.expire(now: clock.now)
      advance(connection)
      if slice.isOver { return }
    }
  }

  /// Accepts who waits and serves what they ask already, for a slice of time: who is there is not
  /// to wait for all who come.
  private func acceptSome() {
    guard isAcceptDue else { return }
    isAcceptDue = false
    acceptWaiting(atMost: Self.acceptsPerTurn, within: TimeSlice())
  }

  /// Has a connection wait until others had their turn.
  func enqueue(_ connection: Connection) {
    guard !connection.isQueued else { return }
    connection.isQueued = true
    queue.append(connection.token)
  }

  private func waitForEvents() {
    let time = waitingTime
    if time == 0 {
      epoll.wait(milliseconds: 0)
    } else if nearAnswers > 0 {
      wait(&answerWait, milliseconds: time)
    } else {
      wait(&requestWait, milliseconds: time)
    }
  }

  private func wait(_ wait: inout BriefWait, milliseconds: Int) {
    wait.wait {
      epoll.wait(milliseconds: 0)
      return epoll.count > 0 || resources.hasWoken
    } orAsleep: {
      let isAsleep = resources.beginSleep()
      epoll.wait(milliseconds: isAsleep ? milliseconds : 0)
      if isAsleep { resources.endSleep() }
    }
  }

  private func handle(_ event: Epoll.Event, _ group: inout ConnectionGroup) {
    if event.token.generation > 0 {
      // The connection may have been closed by an event before this one.
      guard let connection = connection(for: event.token) else { return }
      // Who lingers has nothing to send any more, and closes only when all that came is read: to
      // close before would reset the connection, and what is still on its way would be lost.
      if event.isBroken || event.isHungUp && !connection.state.isLingering {
        return close(connection)
      }
      if event.isUrgent { connection.isReadInPieces = true }
      if event.isEnding, !connection.isEnding { connection.state.peerFinished(now: clock.now) }
      connection.isReadable = connection.isReadable || event.isReadable
      connection.isEnding = connection.isEnding || event.isEnding
      connection.isWritable = connection.isWritable || event.isWritable
      join(connection, &group)
    } else if event.token.descriptor == resources.wakeup.number {
      Syscalls.eventClear(resources.wakeup.number)
      if resources.takeRoomRequest() { makeRoomForOthers() }
    } else {
      isAcceptDue = true
    }
  }

  /// Has the late answers asked that were woken.
  private func wakeAll(_ group: inout ConnectionGroup) {
    resources.takeWoken(into: &woken)
    for token in woken { wake(token, &group) }
    woken.removeAll(keepingCapacity: true)
  }

  /// Has the late answer of a connection asked, unless the connection is closed.
  ///
  /// Thousands may follow one tree, and all be woken by one change of it.
  private func wake(_ token: EventToken, _ group: inout ConnectionGroup) {
    guard let connection = connection(for: token) else { return }
    connection.isWoken = true
    if connection.state.isAnswerNear { join(connection, &group) } else { enqueue(connection) }
  }

  /// How long to wait: until the next timer or the stop's deadline; not at all if work is left.
  private var waitingTime: Int {
    guard queue.isEmpty else { return 0 }
    let timer = timers.next ?? .max
    let stop = isDraining ? resources.stopDeadline ?? .max : .max
    let next = min(timer, stop, roomCheck ?? .max)
    return next == .max ? -1 : max(next - clock.now.milliseconds, 0)
  }

  /// Stops accepting, closes what is idle, and has the others end after what they are at.
  private func drain() {
    isDraining = true
    acceptLast()
    // Others may still have a shared one open, and then closing it alone would not end the events.
    for listener in listeners where listener.isShared { epoll.remove(listener.descriptor.number) }
    listeners = []
    for connection in connections.compactMap(\.self) {
      // A request that has arrived but was not read yet does not make its connection idle.
      if connection.state.isIdle {
        connection.isReadable = true
        _ = read(connection, &connection.state)
      }
      connection.state.drain(now: clock.now)
      advance(connection)
    }
  }

  private var isFinished: Bool {
    guard isDraining, let deadline = resources.stopDeadline else { return false }
    return connectionCount == 0 || clock.now.milliseconds >= deadline
  }

  private func closeAll() {
    let rest = connections.compactMap(\.self)
    resources.note(cutOff: rest.count(where: \.isInFlight))
    for connection in rest { close(connection) }
  }
}
