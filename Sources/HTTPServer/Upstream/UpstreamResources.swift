import Synchronization

/// The descriptors of the upstream loop, and the requests that other threads send it.
final class UpstreamResources: Sendable {
  private struct Requests {
    var touched: [UpstreamExchange] = []
    var isLoopAsleep = false
    var isStopped = false
  }

  let epoll: FileDescriptor
  let wakeup: FileDescriptor
  /// The lock is held for one insertion, or while all exchanges are taken.
  private let requests = Mutex(Requests())

  init() throws(SystemError) {
    epoll = try Syscalls.epollCreate()
    wakeup = try Syscalls.eventCreate()
  }

  /// Makes the loop look at an exchange.
  ///
  /// Safe from any thread. Only the first call after the loop fell asleep makes a system call.
  ///
  /// - Parameter exchange: The exchange, which is not listed yet.
  /// - Returns: False if the loop has been stopped.
  func touch(_ exchange: UpstreamExchange) -> Bool {
    let (isTaken, isToWakeUp) = requests.withLock { requests in
      guard !requests.isStopped else { return (false, false) }
      requests.touched.append(exchange)
      defer { requests.isLoopAsleep = false }
      return (true, requests.isLoopAsleep)
    }
    if isToWakeUp { Syscalls.eventSignal(wakeup.number) }
    return isTaken
  }

  /// Requests that the loop ends.
  func stop() {
    requests.withLock { $0.isStopped = true }
    Syscalls.eventSignal(wakeup.number)
  }

  /// Returns the exchanges to look at.
  ///
  /// - Parameter isStopped: Set to true if the loop must end, after these exchanges.
  /// - Returns: The exchanges, each at most once.
  func take(_ isStopped: inout Bool) -> [UpstreamExchange] {
    requests.withLock { requests in
      isStopped = requests.isStopped
      defer { requests.touched = [] }
      return requests.touched
    }
  }

  /// Marks the loop as asleep and returns true, unless there is something to do.
  func beginSleep() -> Bool {
    requests.withLock { requests in
      requests.isLoopAsleep = requests.touched.isEmpty && !requests.isStopped
      return requests.isLoopAsleep
    }
  }

  /// Marks the loop as awake.
  func endSleep() { requests.withLock { $0.isLoopAsleep = false } }
}
