import Synchronization

/// The descriptors of one event loop, opened before its thread starts so that failing can be
/// reported, and what other threads leave there for it: whom to ask again, that there is no room,
/// and when to stop.
final class LoopResources: Sendable {
  let epoll: FileDescriptor
  let wakeup: FileDescriptor
  /// The listening sockets, which the loop takes over once.
  private let listeners = Mutex<[Listener]>([])
  /// The deadline of the stop in monotonic milliseconds; 0 while none is asked for.
  ///
  /// Releasing and acquiring order nothing else: the number is all there is to say.
  private let stopWord = Atomic(0)
  /// The connections whose late answers were woken since the loop last looked, and whether it
  /// sleeps, or is about to, and was not woken for one.
  ///
  /// The lock is held for one insertion, or for all of them to be taken.
  private let woken = Mutex((connections: WokenConnections(), isLoopAsleep: false))
  /// Whether there are any, as a hint to look closer.
  ///
  /// Nothing is ordered by it: who takes them takes the lock.
  private let isAnyWoken = Atomic(false)
  /// How many requests the loop has cut off at that deadline.
  ///
  /// Nothing is ordered by it: whoever asks has waited for the loop's thread.
  private let cutOffWord = Atomic(0)
  /// Whether another loop has no room.
  ///
  /// Nothing is ordered by it.
  private let isRoomWanted = Atomic(false)

  init() throws(SystemError) {
    epoll = try Syscalls.epollCreate()
    wakeup = try Syscalls.eventCreate()
  }

  /// Adds a listening socket, before the loop begins.
  func add(_ listener: Listener) { listeners.withLock { $0.append(listener) } }

  /// Hands over the listening sockets; there are none the second time.
  func takeListeners() -> [Listener] {
    listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
  }

  /// Has the loop ask a connection's late answer.
  ///
  /// Safe from any thread, also when the connection or the loop is gone. Only the first after the
  /// loop fell asleep costs a system call.
  func wake(_ token: EventToken) {
    let isToWakeUp = woken.withLock { woken in
      guard woken.connections.insert(token) else { return false }
      isAnyWoken.store(true, ordering: .relaxed)
      defer { woken.isLoopAsleep = false }
      return woken.isLoopAsleep
    }
    if isToWakeUp { Syscalls.eventSignal(wakeup.number) }
  }

  /// Whether there are connections to be asked.
  var hasWoken: Bool { isAnyWoken.load(ordering: .relaxed) }

  /// Takes the connections to be asked.
  ///
  /// - Parameter room: Empty before, what there is after.
  func takeWoken(into room: inout [EventToken]) {
    woken.withLock { woken in
      woken.connections.take(for: &room)
      isAnyWoken.store(false, ordering: .relaxed)
    }
  }

  /// Counts the loop as asleep, so that it is woken for the next connection, unless there are some
  /// already; whether it did.
  func beginSleep() -> Bool {
    woken.withLock { woken in
      woken.isLoopAsleep = woken.connections.isEmpty
      return woken.isLoopAsleep
    }
  }

  /// Counts the loop as awake: it looks whether there are any before it sleeps again.
  func endSleep() { woken.withLock { $0.isLoopAsleep = false } }

  /// Has the loop give up what holds much for long, or is kept idle, as another one has no room.
  ///
  /// Safe from any thread. Only the first after the loop looked costs a system call.
  func requestRoom() {
    let isFirst = !isRoomWanted.exchange(true, ordering: .acquiringAndReleasing)
    if isFirst { Syscalls.eventSignal(wakeup.number) }
  }

  /// Whether room was requested since this was last asked.
  func takeRoomRequest() -> Bool { isRoomWanted.exchange(false, ordering: .acquiringAndReleasing) }

  /// The deadline by which the loop is to end, nil if it is not to.
  var stopDeadline: Int? {
    let word = stopWord.load(ordering: .acquiring)
    return word == 0 ? nil : word
  }

  /// How many requests were cut off; to be asked when the loop has ended.
  var cutOffCount: Int { cutOffWord.load(ordering: .relaxed) }

  /// Notes how many requests were cut off.
  func note(cutOff count: Int) { cutOffWord.store(count, ordering: .relaxed) }

  /// Asks the loop to end.
  ///
  /// Safe from any thread.
  func requestStop(deadline: Int) {
    stopWord.store(max(deadline, 1), ordering: .releasing)
    Syscalls.eventSignal(wakeup.number)
  }
}
