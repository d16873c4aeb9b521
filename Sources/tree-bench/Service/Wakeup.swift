import CLinux
import Glibc

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
