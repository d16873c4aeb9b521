import Coding
import HTTP

/// An event loop on its own thread, which serves a share of a server's connections.
///
/// It waits for events and carries out the actions of its connections' states. It shares with other
/// threads only `resources`, `metrics` and the counts in `Settings`. A connection never moves to
/// another loop.
final class EventLoop {
  /// The settings and counts that the loops of one server share.
  struct Settings: Sendable {
    let limits: Limits
    let hosts: HostRule
    let maxConnections: Int
    let maxHeldBytes: Int
    /// The number of connections from each address; nil if they are not counted.
    let addresses: AddressCounts?
    /// The refused credentials of each address; nil if they are not counted.
    let refusedCredentials: RefusedCredentials?
    let exemptsLoopback: Bool
    let handler: any RequestHandler
    let coding: CodingOptions?
    let router: Router
    let connectionCount: SharedCount
    /// The number of bytes held by all connections.
    let held: SharedCount
    /// The part of `held` that belongs to responses.
    let heldAnswers: SharedCount
    /// The resources of all loops, through which they send requests to each other.
    let loops: [LoopResources]
    let log: AccessLog?
    let maxSpinMicroseconds: Int
  }

  /// The maximum number of events from one wait.
  static let maxEvents = 256
  /// The maximum number of bytes of one read.
  static let maxReadBytes = 64 * 1024
  /// The maximum time in microseconds to poll for a request before sleeping.
  static let maxRequestWaitMicroseconds = 50
  /// The maximum number of actions of a connection before others are served.
  static let actionsPerTurn = 64
  /// The approximate number of bytes a connection reads and writes before others are served.
  static let bytesPerTurn = 64 * 1024

  let settings: Settings
  let resources: LoopResources
  let metrics: LoopMetrics
  /// The sockets from which connections are accepted; none after a stop was requested.
  var listeners: [Listener]
  /// A reserved descriptor, closed briefly to drop a pending connection when descriptors run out.
  var reserve: FileDescriptor?
  /// The system's list of sockets to watch.
  var epoll: Epoll
  /// The time of the current iteration.
  var clock = LoopClock()
  /// The times at which connections expire.
  var timers = TimerQueue()
  /// The connections, indexed by descriptor number.
  var connections: [Connection?] = []
  /// The number of connections that are not nil.
  var connectionCount = 0
  /// The number of connections that only get an error response.
  var turnedAwayCount = 0
  /// The generation of the last accepted connection, in which tokens of former ones differ.
  var lastGeneration: UInt32 = 0
  /// The seeds for the request ids of each connection.
  var seeds = RequestIDs(seed: .random(in: 0 ... .max))
  /// The number of connections whose response is due within microseconds.
  var nearAnswers = 0
  private var answerWait: BriefWait
  /// The wait for requests: a client often sends the next one at once.
  private var requestWait: BriefWait
  /// The connections being woken, as a buffer that is kept for reuse.
  private var woken: [EventToken] = []
  /// The connections that have work left for the next iteration.
  var queue = ConnectionQueue()
  /// True if a connection is waiting to be accepted.
  private var isAcceptDue = false
  /// The buffer of one read, kept for reuse.
  var readBuffer = [UInt8](repeating: 0, count: EventLoop.maxReadBytes)
  /// The number of the current iteration.
  var turnNumber = 0
  /// The idle connections in iteration `rankingTurn`, those idle longest first.
  var idleRanking = TimerQueue()
  /// The iteration in which `idleRanking` was made; -1 before the first.
  var rankingTurn = -1
  /// The last iteration in which ``makeRoom(for:)`` ended requests or responses; -1 before the
  /// first.
  var lastMakingRoom = -1
  /// The time of the next search for slow clients, in milliseconds of ``Moment``; nil if there is
  /// enough memory.
  var roomCheck: Int?
  /// The bytes that the current connection has read and written.
  var bytesOfTurn = 0
  /// The gzip encoder; nil before its first use.
  var encoder: GzipEncoder?
  private var isDraining = false

  init(settings: Settings, resources: LoopResources, metrics: LoopMetrics) {
    self.settings = settings
    self.resources = resources
    self.metrics = metrics
    listeners = resources.popListeners()
    reserve = try? Syscalls.openReserve()
    answerWait = BriefWait(microseconds: settings.maxSpinMicroseconds)
    requestWait = BriefWait(
      microseconds: min(settings.maxSpinMicroseconds, Self.maxRequestWaitMicroseconds)
    )
    epoll = Epoll(descriptor: resources.epoll.number, capacity: Self.maxEvents)
  }

  /// Runs until a stop is requested and all connections are closed or the deadline passes.
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

  /// Runs one iteration: waits for events, then serves what is ready, queued, due and new.
  private func turn() {
    waitForEvents()
    clock = clock.refreshed()
    turnNumber &+= 1
    // A single connection gains nothing from a group, and would wait for its end.
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

  /// Serves the queued connections for a time slice.
  private func serveQueued() {
    guard !queue.isEmpty else { return }
    var answered = ConnectionGroup()
    defer { sendAnswers(to: &answered) }
    let slice = TimeSlice()
    // Connections that are queued again meanwhile wait for the next iteration.
    for _ in 0..<queue.count {
      guard let token = queue.next() else { return }
      guard let connection = connection(for: token) else { continue }
      connection.isQueued = false
      // No connection is served twice in an iteration.
      if connection.lastTurn == turnNumber {
        enqueue(connection)
      } else {
        prepareAnswer(of: connection, among: &answered)
      }
      if slice.isOver { return }
    }
  }

  /// Handles due timers for a time slice.
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

  /// Accepts pending connections for one time slice, so that a burst does not delay existing ones.
  private func acceptSome() {
    guard isAcceptDue else { return }
    isAcceptDue = false
    acceptWaiting(atMost: Self.acceptsPerTurn, within: TimeSlice())
  }

  /// Queues a connection for the next iteration.
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
      // An earlier event may have closed the connection.
      guard let connection = connection(for: event.token) else { return }
      // A lingering connection has nothing to send. It closes after all input is read, because
      // closing earlier would reset it and destroy the response in flight.
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
      if let bytes = resources.popRoomRequest() { makeRoomForOthers(for: bytes) }
    } else {
      isAcceptDue = true
    }
  }

  /// Wakes the deferred answers that other threads asked to wake.
  private func wakeAll(_ group: inout ConnectionGroup) {
    resources.popWoken(into: &woken)
    for token in woken { wake(token, &group) }
    woken.removeAll(keepingCapacity: true)
  }

  /// Wakes the deferred answer of a connection, unless the connection is closed.
  ///
  /// It is queued, because one change of a tree may wake thousands of followers.
  private func wake(_ token: EventToken, _ group: inout ConnectionGroup) {
    guard let connection = connection(for: token) else { return }
    connection.isWoken = true
    if connection.state.isAnswerNear { join(connection, &group) } else { enqueue(connection) }
  }

  /// The time to wait in milliseconds: 0 if work is left, -1 without a limit.
  private var waitingTime: Int {
    guard queue.isEmpty else { return 0 }
    let timer = timers.next ?? .max
    let stop = isDraining ? resources.stopDeadline ?? .max : .max
    let next = min(timer, stop, roomCheck ?? .max)
    return next == .max ? -1 : max(next - clock.now.milliseconds, 0)
  }

  /// Begins the stop: accepts the last pending connections, closes idle ones, and lets others
  /// finish.
  private func drain() {
    isDraining = true
    acceptLast()
    // Another loop may have the socket open, too, so closing it here would not end its events.
    for listener in listeners where listener.isShared { epoll.remove(listener.descriptor.number) }
    listeners = []
    for connection in connections.compactMap(\.self) {
      // An unread request may have arrived on an idle connection.
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
    resources.record(cutOff: rest.count(where: \.isInFlight))
    for connection in rest { close(connection) }
  }
}
