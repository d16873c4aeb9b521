import Synchronization

/// The descriptors of an event loop, and the requests that other threads send it.
///
/// It is created before the loop's thread starts, so that failures can be reported.
final class LoopResources: Sendable {
  let epoll: FileDescriptor
  let wakeup: FileDescriptor
  /// The listening sockets until the loop takes them over.
  private let listeners = Mutex<[Listener]>([])
  /// The deadline of the stop in monotonic milliseconds; 0 if no stop is requested.
  ///
  /// No other data is synchronized by it.
  private let stopWord = Atomic(0)
  /// The connections to wake, and a flag that the loop sleeps.
  ///
  /// The flag is set before the loop falls asleep, so that no wake-up is missed. The lock is held
  /// for one insertion, or while all connections are taken.
  private let woken = Mutex((connections: WokenConnections(), isLoopAsleep: false))
  /// A hint that there are connections to wake.
  ///
  /// Relaxed ordering suffices, because they are taken under the lock.
  private let isAnyWoken = Atomic(false)
  /// The number of requests still in progress when the loop stopped at the deadline.
  ///
  /// Relaxed ordering suffices, because readers have joined the loop's thread.
  private let cutOffWord = Atomic(0)
  /// The bytes that another loop needs, plus 1.
  ///
  /// It is 0 if no loop needs memory or a connection.
  ///
  /// It synchronizes no other data.
  private let roomWord = Atomic(0)

  init() throws(SystemError) {
    epoll = try Syscalls.epollCreate()
    wakeup = try Syscalls.eventCreate()
  }

  /// Adds a listening socket.
  ///
  /// Must be called before the loop starts.
  func add(_ listener: Listener) { listeners.withLock { $0.append(listener) } }

  /// Removes and returns the listening sockets.
  func popListeners() -> [Listener] {
    listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
  }

  /// Makes the loop ask a connection's deferred answer.
  ///
  /// Safe from any thread, even after the connection or the loop has ended. Only the first call
  /// after the loop fell asleep makes a system call.
  func wake(_ token: EventToken) {
    let isToWakeUp = woken.withLock { woken in
      guard woken.connections.insert(token) else { return false }
      isAnyWoken.store(true, ordering: .relaxed)
      defer { woken.isLoopAsleep = false }
      return woken.isLoopAsleep
    }
    if isToWakeUp { Syscalls.eventSignal(wakeup.number) }
  }

  /// True if there are connections to wake.
  var hasWoken: Bool { isAnyWoken.load(ordering: .relaxed) }

  /// Takes the connections to wake.
  ///
  /// - Parameter room: An empty array, which receives the connections.
  func popWoken(into room: inout [EventToken]) {
    woken.withLock { woken in
      woken.connections.take(for: &room)
      isAnyWoken.store(false, ordering: .relaxed)
    }
  }

  /// Marks the loop as asleep and returns true, unless there are connections to wake.
  func beginSleep() -> Bool {
    woken.withLock { woken in
      woken.isLoopAsleep = woken.connections.isEmpty
      return woken.isLoopAsleep
    }
  }

  /// Marks the loop as awake.
  ///
  /// It checks for connections to wake before it sleeps again.
  func endSleep() { woken.withLock { $0.isLoopAsleep = false } }

  /// Asks the loop to free memory and close an idle connection for another loop.
  ///
  /// Safe from any thread. Only the first call after the loop's last check makes a system call.
  ///
  /// - Parameter bytes: The bytes that the other loop needs; 0 if memory is used up or it needs
  ///   only a connection.
  func requestRoom(for bytes: Int) {
    let isFirst = roomWord.max(bytes + 1, ordering: .acquiringAndReleasing).oldValue == 0
    if isFirst { Syscalls.eventSignal(wakeup.number) }
  }

  /// Returns the bytes for which room was requested since the last call; nil if it was not.
  func popRoomRequest() -> Int? {
    let word = roomWord.exchange(0, ordering: .acquiringAndReleasing)
    return word == 0 ? nil : word - 1
  }

  /// The deadline of the requested stop in monotonic milliseconds, or nil.
  var stopDeadline: Int? {
    let word = stopWord.load(ordering: .acquiring)
    return word == 0 ? nil : word
  }

  /// The number of requests still in progress when the loop stopped.
  ///
  /// Must be read after the loop's thread has ended.
  var cutOffCount: Int { cutOffWord.load(ordering: .relaxed) }

  /// Records the number of requests still in progress when the loop stops.
  func record(cutOff count: Int) { cutOffWord.store(count, ordering: .relaxed) }

  /// Requests that the loop stops at a deadline in monotonic milliseconds.
  ///
  /// Safe from any thread.
  func requestStop(deadline: Int) {
    stopWord.store(max(deadline, 1), ordering: .releasing)
    Syscalls.eventSignal(wakeup.number)
  }
}
