import CLinux
import Glibc

/// An epoll instance that reports which of many connections have bytes to read.
@safe final class SocketEvents {
  private let descriptor: Int32
  private var events: [epoll_event]
  /// The numbers of the connections that the last wait reported.
  private(set) var ready: [Int] = []

  /// Creates an instance.
  ///
  /// - Parameter capacity: The maximum number of connections that one wait reports.
  init(capacity: Int) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    precondition(descriptor >= 0, "there is no epoll instance: \(errno)")
    unsafe events = Array(repeating: epoll_event(), count: capacity)
  }

  deinit { close(descriptor) }

  /// Adds a socket.
  ///
  /// - Parameters:
  ///   - socket: The descriptor, which must stay open as long as this instance.
  ///   - number: The number that its events have.
  func add(_ socket: Int32, as number: Int) {
    let data = unsafe epoll_data_t(u64: UInt64(number))
    var event = unsafe epoll_event(events: EPOLLIN.rawValue, data: data)
    let result = unsafe epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event)
    precondition(result == 0, "a socket is not watched: \(errno)")
  }

  /// Waits until a connection has bytes to read.
  func wait() { wait(milliseconds: -1) }

  /// Waits like ``wait()``, but polls for half a millisecond before it sleeps.
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

/// An event that wakes a thread which waits for sockets.
struct Wakeup: ~Copyable {
  let descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))

  deinit { close(descriptor) }

  func signal() { eventfd_write(descriptor, 1) }

  func clear() {
    var count: eventfd_t = 0
    unsafe eventfd_read(descriptor, &count)
  }
}
