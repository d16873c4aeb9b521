import CLinux
import Glibc

extension Syscalls {
  /// Creates an epoll instance.
  static func epollCreate() throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try checked("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
    )
  }

  /// Adds a descriptor to an epoll instance; returns false if the system has no memory for it.
  static func epollAdd(
    _ epoll: Int32,
    _ descriptor: Int32,
    events: UInt32,
    token: UInt64
  ) -> Bool {
    var event = unsafe epoll_event(events: events, data: epoll_data_t(u64: token))
    let (result, code) = retrying { unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) }
    precondition(result == 0 || code == ENOMEM || code == ENOSPC, "epoll_ctl: \(code)")
    return result == 0
  }

  /// Removes a descriptor from an epoll instance.
  static func epollRemove(_ epoll: Int32, _ descriptor: Int32) {
    var event = unsafe epoll_event()
    let (result, code) = retrying { unsafe epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event) }
    precondition(result == 0, "epoll_ctl: \(code)")
  }

  /// A buffer for the events of one wait.
  @safe struct EventBuffer {
    private var events: [epoll_event]

    init(capacity: Int) {
      unsafe events = Array(repeating: epoll_event(), count: capacity)
    }

    /// Returns the flags and the token of an event of the last wait.
    subscript(index: Int) -> (flags: UInt32, token: UInt64) {
      let event = unsafe events[index]
      return unsafe (event.events, event.data.u64)
    }

    /// Waits for events, as many as fit into the buffer.
    ///
    /// - Parameters:
    ///   - epoll: The epoll instance.
    ///   - milliseconds: The maximum time to wait; negative for no limit.
    /// - Returns: The number of events. It is also 0 if a signal interrupted the wait.
    mutating func wait(_ epoll: Int32, milliseconds: Int) -> Int {
      let count = unsafe events.withUnsafeMutableBufferPointer { events in
        unsafe epoll_wait(
          epoll,
          events.baseAddress,
          Int32(events.count),
          Int32(clamping: milliseconds)
        )
      }
      precondition(count >= 0 || errno == EINTR, "epoll_wait on no epoll instance")
      return max(Int(count), 0)
    }
  }

  /// Creates an eventfd, a counter that can be waited for.
  static func eventCreate() throws(SystemError) -> FileDescriptor {
    let flags = Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC)
    return FileDescriptor(owning: try checked("eventfd") { eventfd(0, flags) })
  }

  /// Increments an eventfd.
  ///
  /// Safe from any thread.
  static func eventSignal(_ descriptor: Int32) {
    // Fails only if the counter is at its maximum, at which it is above 0 anyway.
    _ = retrying { eventfd_write(descriptor, 1) }
  }

  /// Resets an eventfd to 0.
  static func eventClear(_ descriptor: Int32) {
    var count: eventfd_t = 0
    _ = retrying { unsafe eventfd_read(descriptor, &count) }
  }

  /// Creates an eventfd that works as a semaphore, with value 0.
  static func semaphoreCreate() throws(SystemError) -> FileDescriptor {
    let flags = Int32(EFD_SEMAPHORE) | Int32(EFD_CLOEXEC)
    return FileDescriptor(owning: try checked("eventfd") { eventfd(0, flags) })
  }

  /// Adds to a semaphore.
  ///
  /// Safe from any thread. It would block only at 2⁶⁴ − 1, which is never reached.
  static func semaphoreSignal(_ descriptor: Int32, count: Int) {
    let (result, code) = retrying { eventfd_write(descriptor, eventfd_t(count)) }
    precondition(result == 0, "eventfd_write: \(code)")
  }

  /// Waits until a semaphore is above 0, and decrements it.
  static func semaphoreWait(_ descriptor: Int32) {
    var count: eventfd_t = 0
    let (result, code) = retrying { unsafe eventfd_read(descriptor, &count) }
    precondition(result == 0, "eventfd_read: \(code)")
  }
}
