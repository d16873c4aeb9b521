import CLinux
import Glibc

/// Tells which of many connections have something to read, whichever is the first (epoll).
@safe final class SocketEvents {
  private let descriptor: Int32
  private var events: [epoll_event]
  /// The numbers of those connections, of the last wait.
  private(set) var ready: [Int] = []

  /// - Parameter capacity: About how many connections there are.
  init(capacity: Int) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    precondition(descriptor >= 0, "there is no epoll instance: \(errno)")
    unsafe events = Array(repeating: epoll_event(), count: capacity)
  }

  deinit { close(descriptor) }

  /// Tells of a socket from now on.
  ///
  /// - Parameters:
  ///   - socket: Its descriptor, which is closed after this.
  ///   - number: What it is called here.
  func add(_ socket: Int32, as number: Int) {
    let data = unsafe epoll_data_t(u64: UInt64(number))
    var event = unsafe epoll_event(events: EPOLLIN.rawValue, data: data)
    let result = unsafe epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event)
    precondition(result == 0, "a socket is not watched: \(errno)")
  }

  /// Waits until there is something to read.
  func wait() { wait(milliseconds: -1) }

  /// The same, but looks again and again for half a millisecond before it sleeps.
  func waitBriefly() {
    let begin = ContinuousClock.now
    repeat {
      wait(milliseconds: 0)
      if !ready.isEmpty { return }
      sched_yield()
    } while ContinuousClock.now - begin < .microseconds(500)
    wait()
  }

  private func wait(milliseconds: Int32) {
    let count = unsafe events.withUnsafeMutableBufferPointer { events in
      unsafe epoll_wait(descriptor, events.baseAddress, Int32(events.count), milliseconds)
    }
    precondition(count >= 0 || errno == EINTR, "epoll_wait: \(errno)")
    ready.removeAll(keepingCapacity: true)
    for index in 0..<max(Int(count), 0) { ready.append(Int(unsafe events[index].data.u64)) }
  }
}
