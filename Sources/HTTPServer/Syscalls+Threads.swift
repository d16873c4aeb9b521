import CLinux
import Glibc

extension Syscalls {
  /// A box that passes a thread's closure through the C call.
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - stackBytes: The size of its stack in bytes.
  ///   - body: The work of the thread.
  /// - Returns: The thread, which must be joined once.
  /// - Throws: The error of the system call.
  static func startThread(
    stackBytes: Int,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) -> pthread_t {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackBytes)
    let work = unsafe Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread,
      &attributes,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      },
      work.toOpaque()
    )
    guard code == 0 else {
      unsafe work.release()
      throw SystemError(call: "pthread_create", code: code)
    }
    return thread
  }

  /// Sets the niceness of the calling thread.
  ///
  /// Failure is ignored. On Linux each thread has its own niceness, and the id 0 means the calling
  /// thread (setpriority(2), nptl(7)).
  static func standBack(niceness: Int32) {
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
  }

  /// Returns the processor time that this thread has used, in nanoseconds.
  static func threadNanoseconds() -> Int {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Yields the processor to other threads.
  static func giveWay() { _ = sched_yield() }

  /// Blocks the calling thread for some milliseconds.
  static func sleep(milliseconds: Int) {
    let end = monotonicMilliseconds() + milliseconds
    while case let rest = end - monotonicMilliseconds(), rest > 0 {
      usleep(UInt32(min(rest, 500)) * 1_000)
    }
  }

  /// Ends the process at once, without closing, flushing or waiting.
  static func endProcess(status: Int32) -> Never { _exit(status) }

  /// Waits for a thread to end.
  static func join(_ thread: pthread_t) {
    let code = pthread_join(thread, nil)
    precondition(code == 0, "a thread is joined once, by another")
  }

  /// Blocks signals in the calling thread and those that it starts afterwards.
  static func block(_ numbers: [Int32]) {
    var signals = signalSet(numbers)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Opens a descriptor that becomes readable when one of some blocked signals arrives.
  static func openSignals(_ numbers: [Int32]) throws(SystemError) -> FileDescriptor {
    FileDescriptor(
      owning: try checked("signalfd") {
        var signals = signalSet(numbers)
        return unsafe signalfd(-1, &signals, Int32(SFD_CLOEXEC))
      }
    )
  }

  /// Returns true if one of some blocked signals is pending.
  static func isWaiting(anyOf numbers: [Int32]) -> Bool {
    var waiting = sigset_t()
    unsafe sigpending(&waiting)
    return numbers.contains { unsafe sigismember(&waiting, $0) == 1 }
  }

  /// Waits for a signal and returns its number; nil if none arrives in time.
  static func readSignal(_ descriptor: Int32, withinMilliseconds milliseconds: Int32) -> Int32? {
    var awaited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let (ready, _) = retrying { Int(unsafe poll(&awaited, 1, milliseconds)) }
    guard ready > 0 else { return nil }
    var info = signalfd_siginfo()
    let (count, _) = unsafe withUnsafeMutableBytes(of: &info) { bytes in
      retrying { unsafe read(descriptor, bytes.baseAddress, bytes.count) }
    }
    precondition(count == MemoryLayout<signalfd_siginfo>.size, "a signalfd gives whole signals")
    return Int32(info.ssi_signo)
  }

  /// Makes writes to a closed pipe or beyond the file size limit fail instead of ending the
  /// process.
  static func ignoreFailedWrites() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  private static func signalSet(_ numbers: [Int32]) -> sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in numbers { unsafe sigaddset(&signals, number) }
    return signals
  }
}
