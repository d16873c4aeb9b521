import Glibc

/// The processors that a process may use, its processor time, and its limit of descriptors.
enum Processor {
  /// Restricts this process, and programs it starts later, to the first processor.
  static func takeFirst() {
    _ = Shell.run("taskset -acp 0 \(getpid())")
  }

  /// Lets this process run on any processor again.
  static func takeAll() {
    _ = Shell.run("taskset -acp 0-$(($(nproc --all) - 1)) \(getpid())")
  }

  /// Raises the limit of descriptors of this process to `wanted`, or as far as the system allows.
  static func allowDescriptors(_ wanted: UInt) {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    unsafe setrlimit(resource, &limit)
  }

  /// Returns the processor time of a process in nanoseconds; 0 if there is no such process.
  static func time(of process: pid_t) -> Double {
    var clock = clockid_t()
    var time = timespec()
    guard unsafe clock_getcpuclockid(process, &clock) == 0,
      unsafe clock_gettime(clock, &time) == 0
    else { return 0 }
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
